//! Trains a network to grade red wines, by gradients from `#[differentiate]`.
//!
//! ```text
//! cargo run --release --example train [curves.svg]
//! ```
//!
//! The data are those of P. Cortez and others, "Modeling wine preferences by data mining from
//! physicochemical properties", Decision Support Systems 47 (2009), whose neural network gives
//! about 59 % of the red wines their right grade. Rows that occur more than once count once here,
//! so that no held-out wine is met in training.

mod data;
mod network;
mod optimiser;
mod plot;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use data::{Random, Standardiser, Wines};
use network::Network;
use optimiser::{Adam, average_and_clip, clear};
use plot::Epoch;

const SEED: u64 = 2009;
const HIDDEN: [usize; 2] = [16, 8];
const EPOCHS: usize = 60;
const BATCH: usize = 32;
const RATE: f64 = 2e-3;
const DECAY: f64 = 0.1;
const LONGEST_STEP: f64 = 1.0;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map_or("target/train.svg".into(), PathBuf::from);
    let mut random = Random(SEED);

    let wines = Wines::distinct();
    let classes = wines.counts().len();
    let (mut training, mut held_out) = wines.split(0.8, &mut random);
    let standardiser = Standardiser::fit(&training);
    standardiser.apply(&mut training);
    standardiser.apply(&mut held_out);
    let inputs = training.features[0].len();
    let mut network = Network::new(inputs, HIDDEN, classes, &mut random);
    println!(
        "{} distinct red wines: {} to train on, {} held out; {inputs} measurements, {classes} grades; {} parameters",
        training.len() + held_out.len(),
        training.len(),
        held_out.len(),
        network.parameters(),
    );

    let started = Instant::now();
    let baseline = share_of_commonest(&training, &held_out);
    let epochs = train(&mut network, &training, &held_out, &mut random)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    plot::draw(&path, &epochs, baseline)?;
    let last = epochs.last().expect("there are epochs");
    println!(
        "held-out accuracy {:.1} % (training {:.1} %, always the commonest grade {:.1} %) after {EPOCHS} epochs, {:.1} s",
        100.0 * last.held_out_accuracy,
        100.0 * last.training_accuracy,
        100.0 * baseline,
        started.elapsed().as_secs_f64(),
    );
    println!("curves in {}", path.display());
    Ok(())
}

fn train(network: &mut Network, training: &Wines, held_out: &Wines, random: &mut Random) -> Result<Vec<Epoch>, Box<dyn Error>> {
    let template = "{bar:40} epoch {pos}/{len}  {msg}";
    let bar = ProgressBar::new(EPOCHS as u64).with_style(ProgressStyle::with_template(template)?);
    let mut adam = Adam::new(network, RATE, DECAY);
    let mut gradient = network.clone();
    let mut order: Vec<usize> = (0..training.len()).collect();
    let mut epochs = Vec::with_capacity(EPOCHS);
    for _ in 0..EPOCHS {
        random.shuffle(&mut order);
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            clear(&mut gradient);
            for &i in batch {
                loss += network.add_gradient(&training.features[i], training.classes[i], &mut gradient);
            }
            average_and_clip(&mut gradient, batch.len(), LONGEST_STEP);
            adam.step(network, &mut gradient);
        }
        let epoch = Epoch {
            training_loss: loss / training.len() as f64,
            training_accuracy: network.accuracy(training),
            held_out_accuracy: network.accuracy(held_out),
        };
        bar.set_message(format!("loss {:.3}", epoch.training_loss));
        bar.inc(1);
        epochs.push(epoch);
    }
    bar.finish();
    Ok(epochs)
}

/// How often the commonest grade of the training is right for a held-out wine.
fn share_of_commonest(training: &Wines, held_out: &Wines) -> f64 {
    let counts = training.counts();
    let commonest = (0..counts.len()).max_by_key(|&class| counts[class]).expect("there are classes");
    held_out.counts()[commonest] as f64 / held_out.len() as f64
}
