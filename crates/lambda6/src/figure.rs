//! Figures as SVG: values of several series over a count.

use crate::output;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::path::Path;

/// Values in the order of the horizontal axis; NaN where there is none.
pub(crate) struct Series<'a> {
    pub(crate) name: &'a str,
    pub(crate) values: Vec<f64>,
}

/// A diagram.
pub(crate) struct Figure<'a> {
    pub(crate) title: &'a str,
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
    /// Whether the vertical axis is logarithmic; values are then above 0.
    pub(crate) logarithmic: bool,
    pub(crate) series: Vec<Series<'a>>,
}

const SIZE: (u32, u32) = (900, 520);
const COLOURS: [RGBColor; 8] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(140, 86, 75),
    RGBColor(227, 119, 194),
    RGBColor(127, 127, 127),
];

impl Figure<'_> {
    /// Draws the diagram into a file, which is replaced if it exists.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let mut text = String::new();
        self.draw(&mut text).map_err(|error| anyhow!("{}: cannot be drawn: {error}", path.display()))?;
        output::file(path, text.as_bytes(), true)
    }

    fn draw(&self, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let values =
            || self.series.iter().flat_map(|series| series.values.iter().copied()).filter(|v| !v.is_nan());
        let most = values().fold(f64::MIN_POSITIVE, f64::max);
        let least = values().fold(most, f64::min);
        let count = self.series.iter().map(|series| series.values.len()).max().unwrap_or(0).max(1) as f64;
        // A logarithmic axis has another type in plotters: the logarithm is taken here
        // instead, and the labels undo it.
        let place = |value: f64| if self.logarithmic { value.log10() } else { value };
        let low = if self.logarithmic { place(least).floor() } else { 0.0 };
        let high = if self.logarithmic { place(most).ceil().max(low + 1.0) } else { most * 1.05 };
        let mut chart = ChartBuilder::on(&root)
            .caption(self.title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(72)
            .build_cartesian_2d(0.0..count, low..high)?;
        let logarithmic = self.logarithmic;
        chart
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|count| format!("{count:.0}"))
            .y_labels(if logarithmic { (high - low) as usize + 1 } else { 10 })
            .y_label_formatter(&|value| match logarithmic {
                false => format!("{value:.0}"),
                // Only powers of ten are labelled.
                true if (value - value.round()).abs() > 0.01 => String::new(),
                true => format!("{}", 10f64.powf(value.round())),
            })
            .draw()?;
        for (i, (series, colour)) in self.series.iter().zip(COLOURS.iter().cycle()).enumerate() {
            // Later series are smaller, so that equal values of all series are visible.
            let size = 3 + self.series.len().min(5).saturating_sub(i + 1) as i32;
            let points = (0..).zip(&series.values).filter(|(_, value)| !value.is_nan());
            let points = points.map(|(i, &value)| (f64::from(i) + 0.5, place(value)));
            chart
                .draw_series(points.map(|point| Circle::new(point, size, colour.filled())))?
                .label(series.name)
                .legend(move |(x, y)| Circle::new((x + 8, y), size.min(5), colour.filled()));
        }
        chart
            .configure_series_labels()
            // Series rise, so that this corner is free.
            .position(SeriesLabelPosition::UpperLeft)
            .border_style(BLACK)
            .background_style(WHITE)
            .draw()?;
        root.present()?;
        Ok(())
    }
}
