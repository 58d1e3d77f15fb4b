//! Comparisons with recorded numbers.

use autodiff::Tangent;

/// Asserts that `got` is one of the `accepted` lists of numbers, to `tolerance` of each number or of 1, or only of the number if `relative`.
#[track_caller]
pub(crate) fn close(what: &str, got: &[f64], accepted: &[&[f64]], tolerance: f64, relative: bool) {
    let near = |got: f64, wanted: f64| {
        let scale = if relative { wanted.abs() } else { wanted.abs().max(1.0) };
        got == wanted || (got.is_nan() && wanted.is_nan()) || (got - wanted).abs() <= tolerance * scale
    };
    let matches = |wanted: &[f64]| got.len() == wanted.len() && got.iter().zip(wanted).all(|(&g, &w)| near(g, w));
    assert!(accepted.iter().any(|wanted| matches(wanted)), "{what}: {got:?} is none of {accepted:?}");
}

/// Asserts that two lists of numbers are the same, bit for bit.
#[track_caller]
pub(crate) fn same(what: &str, got: &[f64], wanted: &[f64]) {
    let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(got), bits(wanted), "{what}: {got:?} is not {wanted:?}");
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
    let near = (forward - reverse).abs() <= 100.0 * tolerance * reverse.abs().max(1.0);
    assert!(near || forward == reverse || reverse.is_nan(), "forward mode gives {forward}, reverse mode {reverse}");
}
