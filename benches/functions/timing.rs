//! Times of several variants, interleaved so that a noisy machine is noisy to all of them.

use std::time::Instant;

/// Seconds per run of each variant, by rounds.
pub fn interleaved(rounds: usize, variants: &mut [&mut dyn FnMut()]) -> Vec<Vec<f64>> {
    let mut seconds = vec![Vec::with_capacity(rounds); variants.len()];
    for round in 0..=rounds {
        for (variant, times) in variants.iter_mut().zip(&mut seconds) {
            let begin = Instant::now();
            variant();
            // The first round fills caches.
            if round > 0 {
                times.push(begin.elapsed().as_secs_f64());
            }
        }
    }
    seconds
}

/// The median over the rounds of the time of one variant over that of another.
pub fn median_ratio(over: &[f64], under: &[f64]) -> f64 {
    median(over.iter().zip(under).map(|(over, under)| over / under).collect())
}

/// The one in the middle.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
