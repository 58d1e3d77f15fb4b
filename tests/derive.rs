//! Types with derived tangents: the vector space of their tangents.

use autodiff::{Differentiable, Tangent};
use nalgebra::{Matrix2, Vector2};

#[derive(Differentiable)]
struct Layer {
    weight: Matrix2<f64>,
    bias: [f64; 2],
    gain: f32,
    size: usize,
    #[constant]
    #[allow(dead_code)]
    activation: fn(f64) -> f64,
}

#[derive(Differentiable)]
struct Pair(f64, Vec<f64>);

#[derive(Differentiable)]
struct Nothing;

#[derive(Differentiable)]
struct Series<'a, T, const N: usize>
where
    T: Copy,
{
    samples: &'a [f64],
    of: [T; N],
    #[constant]
    #[allow(dead_code)]
    label: &'a str,
    nested: Option<Pair>,
}

#[derive(Differentiable)]
enum Shape {
    Circle(f64),
    Rectangle { width: f64, height: f64, corners: u8 },
    Empty,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[differentiable(tangent = Self)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Differentiable)]
#[differentiable(name = Slope)]
#[allow(dead_code)]
struct Named {
    r#type: f64,
}

fn layer() -> Layer {
    Layer { weight: Matrix2::new(1.0, 2.0, 3.0, 4.0), bias: [5.0, 6.0], gain: 7.0, size: 3, activation: f64::tanh }
}

#[test]
fn components_in_the_order_of_the_fields() {
    let mut tangent = layer().zero_tangent();
    assert_eq!(tangent.flatten(), [0.0; 7]);
    tangent.assign_flat(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    // A matrix column by column, as it lies in memory.
    assert_eq!(tangent, LayerTangent { weight: Matrix2::new(1.0, 3.0, 2.0, 4.0), bias: [5.0, 6.0], gain: 7.0, size: (), activation: () });
    assert_eq!(layer().size, 3);
}

#[test]
fn a_vector_space() {
    let mut a = layer().zero_tangent();
    a.assign_flat(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    let b = a.negated();
    assert_eq!(b.flatten(), [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0, -7.0]);
    assert_eq!(a.dot(&b), -140.0);
    assert!((a.norm() - 140.0_f64.sqrt()).abs() < 1e-14);
    // Copies, as all fields are.
    let copy = a;
    assert_eq!((a + copy * 2.0 - b).flatten(), [4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0]);
    a += copy;
    a -= -copy;
    a *= 0.5;
    a.axpy(2.0, &copy);
    assert_eq!(a.flatten(), [3.5, 7.0, 10.5, 14.0, 17.5, 21.0, 24.5]);
    a.clear();
    assert_eq!(a, LayerTangent::default());
    assert_eq!(format!("{:?}", PairTangent(1.0, vec![2.0])), "PairTangent(1.0, [2.0])");
    assert_eq!(format!("{:?}", Nothing.zero_tangent()), "NothingTangent");
}

#[test]
fn references_generics_and_nested_types() {
    let samples = vec![1.0, 2.0];
    let series = Series { samples: &samples, of: [0.5_f32; 3], label: "none", nested: Some(Pair(1.0, vec![2.0, 3.0])) };
    let mut tangent = series.zero_tangent();
    assert_eq!(tangent.flatten().len(), 2 + 3 + 3);
    tangent.samples[1] = 4.0;
    tangent.of[0] = 0.25;
    tangent.nested.as_mut().expect("as in the value").1[1] = 8.0;
    assert_eq!(tangent.flatten(), [0.0, 4.0, 0.25, 0.0, 0.0, 0.0, 0.0, 8.0]);
    // The tangents have tangents themselves.
    assert_eq!(tangent.zero_tangent().flatten(), [0.0; 8]);
    assert!(tangent == tangent.clone());
}

#[test]
fn tangents_of_enums_have_the_variant_of_the_value() {
    let mut tangent = Shape::Rectangle { width: 2.0, height: 3.0, corners: 4 }.zero_tangent();
    tangent.assign_flat(&[1.0, 5.0]);
    assert_eq!(tangent, ShapeTangent::Rectangle { width: 1.0, height: 5.0, corners: () });
    tangent.axpy(2.0, &ShapeTangent::Rectangle { width: 1.0, height: 1.0, corners: () });
    assert_eq!(tangent.flatten(), [3.0, 7.0]);
    assert_eq!(Shape::Circle(1.0).zero_tangent(), ShapeTangent::Circle(0.0));
    assert_eq!(Shape::Empty.zero_tangent().flatten(), [0.0; 0]);
}

#[test]
#[should_panic(expected = "Tangent::accumulate: two variants of ShapeTangent")]
fn tangents_of_different_variants_have_no_sum() {
    Shape::Circle(1.0).zero_tangent().accumulate(&ShapeTangent::Empty);
}

#[test]
fn a_type_that_is_its_own_tangent() {
    let mut v = Vec3 { x: 1.0, y: 2.0, z: 3.0 };
    assert_eq!(v.zero_tangent(), Vec3 { x: 0.0, y: 0.0, z: 0.0 });
    v.axpy(2.0, &Vec3 { x: 1.0, y: 0.0, z: -1.0 });
    assert_eq!(v.flatten(), [3.0, 2.0, 1.0]);
    assert_eq!(Named { r#type: 1.0 }.zero_tangent(), Slope { r#type: 0.0 });
    assert_eq!((v.x, Vector2::new(v.y, v.z)), (3.0, Vector2::new(2.0, 1.0)));
}
