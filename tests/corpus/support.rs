//! Comparisons with recorded numbers.

use autodiff::Tangent;

/// The same number, or near it. An infinite one is near to itself only, and NaN to NaN.
fn near(got: f64, wanted: f64, allowed: f64) -> bool {
    got == wanted || (got.is_nan() && wanted.is_nan()) || (wanted.is_finite() && (got - wanted).abs() <= allowed)
}

fn all_near(got: &[f64], wanted: &[f64], allowed: impl Fn(f64) -> f64) -> bool {
    got.len() == wanted.len() && got.iter().zip(wanted).all(|(&got, &wanted)| near(got, wanted, allowed(wanted)))
}

/// Asserts that `got` is `wanted`, to `tolerance` of each number or of 1, whichever is larger.
#[track_caller]
pub(crate) fn close(what: &str, got: &[f64], wanted: &[f64], tolerance: f64) {
    one_of(what, got, &[wanted], tolerance);
}

/// Asserts that `got` is one of the `accepted` lists of numbers, as `close` compares them.
#[track_caller]
pub(crate) fn one_of(what: &str, got: &[f64], accepted: &[&[f64]], tolerance: f64) {
    let found = accepted.iter().any(|wanted| all_near(got, wanted, |wanted| tolerance * wanted.abs().max(1.0)));
    assert!(found, "{what}: {got:?} is none of {accepted:?}");
}

/// Asserts that `got` is `wanted`, to `tolerance` of each number however small it is.
#[track_caller]
pub(crate) fn close_relative(what: &str, got: &[f64], wanted: &[f64], tolerance: f64) {
    assert!(all_near(got, wanted, |wanted| tolerance * wanted.abs()), "{what}: {got:?} is not {wanted:?}");
}

/// Asserts that two lists of numbers are the same, bit for bit.
#[track_caller]
pub(crate) fn same(what: &str, got: &[f64], wanted: &[f64]) {
    let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(got), bits(wanted), "{what}: {got:?} is not {wanted:?}");
}

/// Another value like `value`, which may be one that is copied or one that is cloned.
pub(crate) fn again<T: Clone>(value: &T) -> T {
    value.clone()
}

/// All components of `parts`, in order.
pub(crate) fn flat<'a, T: Tangent + 'a>(parts: impl Iterator<Item = &'a T>) -> Vec<f64> {
    parts.flat_map(Tangent::flatten).collect()
}

/// Takes the components of `shadow` from `weights` at `at`; where the next ones begin.
pub(crate) fn fill<T: Tangent>(shadow: &mut T, weights: &[f64], at: usize) -> usize {
    let end = at + shadow.flatten().len();
    shadow.assign_flat(&weights[at..end]);
    end
}

/// A direction in the space of `cotangent`, without a pattern; other numbers for another `salt`.
pub(crate) fn direction<T: Tangent>(cotangent: &T, salt: usize) -> T {
    let mut direction = cotangent.clone();
    let components: Vec<f64> = (0..cotangent.flatten().len()).map(|i| (1.3 * (i + 7 * salt) as f64 + 0.4).cos()).collect();
    direction.assign_flat(&components);
    direction
}

/// Asserts that forward and reverse mode give the same derivative along a direction.
#[track_caller]
pub(crate) fn agree(forward: f64, reverse: f64, tolerance: f64) {
    // Both round, each in its own order.
    let allowed = 100.0 * tolerance * reverse.abs().max(1.0);
    // Infinities of opposite signs cancel to NaN in the inner product, and where forward mode adds them need not be there.
    let undefined = reverse.is_nan() && !forward.is_finite();
    assert!(undefined || near(forward, reverse, allowed), "forward mode gives {forward}, reverse mode {reverse}");
}
