//! What the two modes cost by the shape of the function, and a lane of several tangents.
//!
//! ```text
//! cargo bench --bench asymmetry                          # prints the numbers
//! cargo bench --bench asymmetry -- docs/cost.svg         # and plots them
//! ```

#[path = "functions/timing.rs"]
#[allow(unreachable_pub, reason = "shared with other benches")]
mod timing;

use std::error::Error;
use std::hint::black_box;

use autodiff::{Laned, Lanes, differentiate};
use plotters::prelude::*;
use timing::{interleaved, median_ratio};

/// Many numbers to one.
#[differentiate(lanes)]
fn chain(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let a = x[i] - x[i - 1] * x[i - 1];
        let b = 1.0 - x[i - 1];
        sum += 100.0 * a * a + b * b;
    }
    sum + x[0]
}

/// One number to many.
#[differentiate]
fn curve<const N: usize>(t: f64) -> [f64; N] {
    let mut y = [0.0; N];
    let mut phase = t;
    for value in y.iter_mut() {
        phase = phase * 0.99 + t * t * 0.01;
        *value = phase * (1.0 - phase);
    }
    y
}

/// The costs of whole Jacobians over those of the function.
struct Costs {
    size: usize,
    forward: f64,
    reverse: f64,
}

/// Runs `derivative` so many times.
fn repeat<Y>(times: usize, mut derivative: impl FnMut() -> Y) {
    for _ in 0..times {
        black_box(derivative());
    }
}

fn unit(size: usize, at: usize) -> Vec<f64> {
    (0..size).map(|i| f64::from(u8::from(i == at))).collect()
}

/// The gradient of `chain`: one reverse sweep, or a forward sweep for each argument.
fn many_to_one(size: usize) -> Costs {
    let x: Vec<f64> = (0..size).map(|i| (0.7 * i as f64).sin()).collect();
    let directions: Vec<Vec<f64>> = (0..size).map(|at| unit(size, at)).collect();
    let mut shadow = vec![0.0; size];
    let (runs, few) = (20_000 / size, (20_000 / size).div_ceil(size));
    let seconds = interleaved(
        15,
        &mut [
            &mut || repeat(runs, || chain(black_box(&x))),
            &mut || repeat(runs, || chain::gradient_into(black_box(&x), &mut shadow)),
            &mut || repeat(few, || directions.iter().for_each(|direction| repeat(1, || chain::jvp(black_box(&x), direction)))),
        ],
    );
    let reverse = median_ratio(&seconds[1], &seconds[0]);
    Costs { size, reverse, forward: median_ratio(&seconds[2], &seconds[0]) * runs as f64 / few as f64 }
}

/// The derivative of `curve`: one forward sweep, or a reverse sweep for each result.
fn one_to_many<const N: usize>() -> Costs {
    let seeds: Vec<[f64; N]> = (0..N).map(|at| std::array::from_fn(|i| f64::from(u8::from(i == at)))).collect();
    let (runs, few) = (20_000 / N, (20_000 / N).div_ceil(N));
    let seconds = interleaved(
        15,
        &mut [
            &mut || repeat(runs, || curve::<N>(black_box(0.3))),
            &mut || repeat(runs, || curve::jvp::<N>(black_box(0.3), 1.0)),
            &mut || {
                repeat(few, || {
                    let (_, saved) = curve::forward::<N>(black_box(0.3));
                    seeds.iter().for_each(|seed| repeat(1, || curve::adjoint(&saved, *seed)));
                });
            },
        ],
    );
    let forward = median_ratio(&seconds[1], &seconds[0]);
    Costs { size: N, forward, reverse: median_ratio(&seconds[2], &seconds[0]) * runs as f64 / few as f64 }
}

/// The cost of each of `L` tangents that are pushed together.
fn lanes<const L: usize>() -> (usize, f64) {
    let x: Vec<f64> = (0..256).map(|i| (0.7 * i as f64).sin()).collect();
    let mut directions = vec![Lanes::<f64, L>::ZERO; x.len()];
    (0..L).for_each(|lane| directions.set_lane(lane, &unit(x.len(), lane)));
    let seconds = interleaved(
        15,
        &mut [&mut || repeat(200, || chain(black_box(&x))), &mut || {
            repeat(200, || chain::jvp_lanes(black_box(&x), black_box(&directions)))
        }],
    );
    (L, median_ratio(&seconds[1], &seconds[0]) / L as f64)
}

fn main() -> Result<(), Box<dyn Error>> {
    let gradients = [1, 10, 100, 1000].map(many_to_one);
    let curves = [one_to_many::<1>(), one_to_many::<10>(), one_to_many::<100>(), one_to_many::<1000>()];
    let lanes = [lanes::<1>(), lanes::<2>(), lanes::<4>(), lanes::<8>(), lanes::<16>()];
    println!("times over that of the function");
    for (title, costs) in [("n numbers to one", &gradients), ("one number to n", &curves)] {
        println!("{title}\n{:>8}{:>14}{:>14}", "n", "forward mode", "reverse mode");
        costs.iter().for_each(|costs| println!("{:>8}{:>14.2}{:>14.2}", costs.size, costs.forward, costs.reverse));
    }
    println!("several tangents at once\n{:>8}{:>14}", "lanes", "each");
    lanes.iter().for_each(|(count, each)| println!("{count:>8}{each:>14.2}"));
    // `cargo bench` adds an argument of its own.
    match std::env::args().skip(1).find(|argument| !argument.starts_with("--")) {
        Some(path) => plot(&path, &gradients, &curves, &lanes),
        None => Ok(()),
    }
}

fn plot(path: &str, gradients: &[Costs], curves: &[Costs], lanes: &[(usize, f64)]) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(path, (1080, 380)).into_drawing_area();
    root.fill(&WHITE)?;
    let areas = root.split_evenly((1, 3));
    for (area, title, costs) in [(&areas[0], "gradient of n numbers", gradients), (&areas[1], "derivative of n results", curves)] {
        let mut chart = ChartBuilder::on(area)
            .caption(title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d((1.0..1000.0).log_scale(), (0.5..5000.0).log_scale())?;
        chart.configure_mesh().x_desc("n").y_desc("time over that of the function").light_line_style(TRANSPARENT).draw()?;
        let sizes = || costs.iter().map(|costs| costs.size as f64);
        let forward: Vec<(f64, f64)> = sizes().zip(costs.iter().map(|costs| costs.forward)).collect();
        let reverse: Vec<(f64, f64)> = sizes().zip(costs.iter().map(|costs| costs.reverse)).collect();
        for (name, colour, points) in [("forward mode", RED, forward), ("reverse mode", BLUE, reverse)] {
            chart
                .draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
            chart.draw_series(points.into_iter().map(|point| Circle::new(point, 3, colour.filled())))?;
        }
        chart.configure_series_labels().position(SeriesLabelPosition::UpperLeft).background_style(WHITE).draw()?;
    }
    let highest = lanes.iter().map(|(_, each)| *each).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(&areas[2])
        .caption("several tangents at once", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..17.0, 0.0..1.1 * highest)?;
    chart.configure_mesh().x_desc("lanes").y_desc("time of each, over that of the function").light_line_style(TRANSPARENT).draw()?;
    let points: Vec<(f64, f64)> = lanes.iter().map(|(count, each)| (*count as f64, *each)).collect();
    chart.draw_series(LineSeries::new(points.clone(), RED.stroke_width(2)))?;
    chart.draw_series(points.into_iter().map(|point| Circle::new(point, 3, RED.filled())))?;
    root.present()?;
    Ok(())
}
