//! The curves of a training, as an SVG.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

/// What one epoch came to.
pub(crate) struct Epoch {
    pub(crate) training_loss: f64,
    pub(crate) training_accuracy: f64,
    pub(crate) held_out_accuracy: f64,
}

/// Draws the loss above the accuracies.
pub(crate) fn draw(path: &Path, epochs: &[Epoch], baseline: f64) -> Result<(), Box<dyn Error>> {
    let image = SVGBackend::new(path, (800, 600)).into_drawing_area();
    image.fill(&WHITE)?;
    let (above, below) = image.split_vertically(300);

    let highest = epochs.iter().fold(0.0, |m: f64, e| m.max(e.training_loss));
    let losses = epochs.iter().map(|e| e.training_loss).collect();
    panel(&above, "mean loss per wine", highest, epochs.len(), &[("training", BLUE, losses)])?;

    let curves = [
        ("training", BLUE, epochs.iter().map(|e| e.training_accuracy).collect()),
        ("held out", RED, epochs.iter().map(|e| e.held_out_accuracy).collect()),
        ("commonest grade", BLACK, vec![baseline; epochs.len()]),
    ];
    panel(&below, "accuracy", 1.0, epochs.len(), &curves)?;
    image.present()?;
    Ok(())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn panel(area: &Area, caption: &str, highest: f64, epochs: usize, curves: &[(&str, RGBColor, Vec<f64>)]) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(40)
        .caption(caption, ("sans-serif", 16))
        .build_cartesian_2d(1..epochs, 0.0..highest)?;
    chart.configure_mesh().light_line_style(TRANSPARENT).x_desc("epoch").draw()?;
    for (name, colour, values) in curves {
        let points = values.iter().enumerate().map(|(i, &v)| (i + 1, v));
        chart
            .draw_series(LineSeries::new(points, colour))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
    }
    chart.configure_series_labels().position(SeriesLabelPosition::LowerRight).background_style(WHITE).draw()?;
    Ok(())
}
