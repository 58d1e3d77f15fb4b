//! Bundle adjustment: the errors of images, the blocks of their Jacobian, and the same blocks by hand.
//!
//! ```text
//! cargo bench --bench bundle
//! ```

#[path = "functions/bundle.rs"]
#[allow(dead_code, unreachable_pub, clippy::needless_range_loop, reason = "shared with a test; a program as users write it")]
mod bundle;
#[path = "functions/timing.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with other benches")]
mod timing;

use std::hint::black_box;

use bundle::{Camera, Observation, Point, block, by_hand, error};
use timing::{interleaved, median, median_ratio};

const CAMERAS: usize = 49;
const POINTS: usize = 7_776;
const OBSERVATIONS: usize = 31_843;

fn main() {
    let camera = |k: usize| -> Camera {
        let at = |i: usize| (0.7 * k as f64 + 1.3 * i as f64).sin();
        [0.3 * at(0), 0.3 * at(1), 0.3 * at(2), at(3), at(4), at(5), 500.0, 3.0, -2.0, 0.1 * at(6), 0.01 * at(7)]
    };
    let cameras: Vec<Camera> = (0..CAMERAS).map(camera).collect();
    let points: Vec<Point> = (0..POINTS).map(|k| [(k as f64).sin(), (1.7 * k as f64).cos(), 6.0 + (0.3 * k as f64).sin()]).collect();
    let observation = |i: usize| Observation { camera: i % CAMERAS, point: i % POINTS, weight: 1.1, feature: [10.0, -20.0] };
    let observations: Vec<Observation> = (0..OBSERVATIONS).map(observation).collect();

    let (mut errors, mut derived, mut hand) = (Vec::new(), Vec::new(), Vec::new());
    let parts = |seen: &Observation| (cameras[seen.camera], points[seen.point], seen.weight, seen.feature);
    let seconds = interleaved(
        41,
        &mut [
            &mut || {
                errors.clear();
                errors.extend(observations.iter().map(parts).map(|(c, p, w, f)| error(black_box(&c), &p, w, &f)));
            },
            &mut || {
                derived.clear();
                derived.extend(observations.iter().map(parts).map(|(c, p, w, f)| block(black_box(&c), &p, w, &f)));
            },
            &mut || {
                hand.clear();
                hand.extend(observations.iter().map(parts).map(|(c, p, w, f)| by_hand::block(black_box(&c), &p, w, &f)));
            },
        ],
    );
    let nanoseconds = |times: &[f64]| 1e9 * median(times.to_vec()) / OBSERVATIONS as f64;
    println!("{OBSERVATIONS} observations, nanoseconds for each:");
    println!("  errors            {:6.1}", nanoseconds(&seconds[0]));
    println!("  blocks            {:6.1}   {:.2} of the errors", nanoseconds(&seconds[1]), median_ratio(&seconds[1], &seconds[0]));
    println!("  blocks by hand    {:6.1}   {:.2} of the errors", nanoseconds(&seconds[2]), median_ratio(&seconds[2], &seconds[0]));
    println!("  blocks / by hand  {:.2}", median_ratio(&seconds[1], &seconds[2]));
}
