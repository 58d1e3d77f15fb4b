//! Comparisons with recorded numbers.

use autodiff::{InLanes, Laned, Tangent};

/// A test stops at the first difference; a trial of a case shows all of them.
#[track_caller]
fn differ(message: String) {
    if cfg!(test) {
        panic!("{message}");
    }
    println!("  {message}");
}

/// Says so unless `got` is one of the `accepted` lists of numbers, to `tolerance` of each number or of 1, or only of the number if `relative`.
#[track_caller]
pub(crate) fn close(what: &str, got: &[f64], accepted: &[&[f64]], tolerance: f64, relative: bool) {
    let near = |got: f64, wanted: f64| {
        let scale = if relative { wanted.abs() } else { wanted.abs().max(1.0) };
        // Infinity is near nothing but itself: as a scale it would let everything pass.
        got == wanted || (got.is_nan() && wanted.is_nan()) || (wanted.is_finite() && (got - wanted).abs() <= tolerance * scale)
    };
    let matches = |wanted: &[f64]| got.len() == wanted.len() && got.iter().zip(wanted).all(|(&g, &w)| near(g, w));
    if !accepted.iter().any(|wanted| matches(wanted)) {
        differ(format!("{what}: {got:?} is none of {accepted:?}"));
    }
}

/// Says so unless two lists of numbers are the same, bit for bit.
#[track_caller]
pub(crate) fn same(what: &str, got: &[f64], wanted: &[f64]) {
    let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    if bits(got) != bits(wanted) {
        differ(format!("{what}: {got:?} is not {wanted:?}"));
    }
}

/// A vector of the space of `like` with these components.
pub(crate) fn with<T: Tangent>(like: &T, components: &[f64]) -> T {
    let mut vector = like.clone();
    vector.assign_flat(components);
    vector
}

/// Another vector like this one, on the heap if this one is.
pub(crate) fn copy<T: Tangent>(vector: &T) -> T {
    vector.clone()
}

/// Takes the components of `shadow` from `weights` at `at`; where the next ones begin.
pub(crate) fn fill<T: Tangent>(shadow: &mut T, weights: &[f64], at: usize) -> usize {
    let end = at + shadow.flatten().len();
    shadow.assign_flat(&weights[at..end]);
    end
}

/// A direction in the space of `cotangent`, without a pattern; other numbers for another `salt`.
pub(crate) fn direction<T: Tangent>(cotangent: &T, salt: usize) -> T {
    let components = (0..cotangent.flatten().len()).map(|i| (1.3 * (i + 7 * salt) as f64 + 0.4).cos());
    with(cotangent, &components.collect::<Vec<f64>>())
}

/// Two tangents of `x` at once.
pub(crate) fn both<X>(x: &X, first: &impl Tangent, second: &impl Tangent) -> X::Lanes
where
    X: InLanes<2, Lanes: Laned<2, Single = X::Tangent>> + ?Sized,
{
    let mut lanes = x.zero_lanes();
    lanes.set_lane(0, &with(&x.zero_tangent(), &first.flatten()));
    lanes.set_lane(1, &with(&x.zero_tangent(), &second.flatten()));
    lanes
}

/// The inner product of a cotangent with a direction, and the size of what it is the sum of.
pub(crate) fn product<T: Tangent>(cotangent: &T, direction: &T) -> (f64, f64) {
    let terms = cotangent.flatten().into_iter().zip(direction.flatten()).map(|(c, d)| c * d);
    terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()))
}

/// Says so unless forward and reverse mode give the same derivative along a direction: what comes out, weighted, is what
/// goes in with the cotangents.
#[track_caller]
pub(crate) fn agree(forward: &[(f64, f64)], reverse: &[(f64, f64)], tolerance: f64) {
    let total = |parts: &[(f64, f64)]| parts.iter().fold((0.0, 0.0), |(sum, size), part| (sum + part.0, size + part.1));
    let ((forward, pushed), (reverse, pulled)) = (total(forward), total(reverse));
    let near = reverse.is_finite() && (forward - reverse).abs() <= tolerance * pushed.max(pulled).max(1.0);
    if !(near || forward == reverse || reverse.is_nan()) {
        differ(format!("forward mode gives {forward}, reverse mode {reverse}"));
    }
}

/// Runs `point` in a thread with no more than this stack.
pub(crate) fn on_stack(bytes: usize, point: fn()) {
    let thread = std::thread::Builder::new().stack_size(bytes).spawn(point).expect("a thread");
    if let Err(payload) = thread.join() {
        std::panic::resume_unwind(payload);
    }
}
