//! Figures as SVG: points over a count, and curves over labelled points.

use crate::output;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::{error::Error, path::Path};

/// Values in the order of the horizontal axis; NaN where there is none.
pub struct Series<'a> {
    /// Its name in the legend.
    pub name: &'a str,
    /// The values.
    pub values: Vec<f64>,
}

/// A diagram of points over a count.
pub struct Figure<'a> {
    /// The heading.
    pub title: &'a str,
    /// What the horizontal axis shows.
    pub x: &'a str,
    /// What the vertical axis shows.
    pub y: &'a str,
    /// Whether the vertical axis is logarithmic; values are then above 0.
    pub logarithmic: bool,
    /// The points, one series a colour.
    pub series: Vec<Series<'a>>,
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

/// A diagram of curves over a few labelled points.
pub struct Curves<'a> {
    /// The heading.
    pub title: &'a str,
    /// What the labels are.
    pub x: &'a str,
    /// What the vertical axis shows.
    pub y: &'a str,
    /// The labels of the horizontal axis, from the left.
    pub labels: Vec<String>,
    /// A value for each label.
    pub series: Vec<Series<'a>>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Draws a diagram into a file, which is replaced if it exists.
fn write(path: &Path, draw: impl Fn(&Area<'_>) -> Result<(), Box<dyn Error>>) -> Result<()> {
    let drawn = || -> Result<String, Box<dyn Error>> {
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area)?;
        area.present()?;
        drop(area);
        Ok(text)
    };
    let text = drawn().map_err(|error| anyhow!("{}: cannot be drawn: {error}", path.display()))?;
    output::file(path, text.as_bytes(), true)
}

impl Figure<'_> {
    /// Draws the diagram into a file, which is replaced if it exists.
    pub fn write(&self, path: &Path) -> Result<()> {
        write(path, |area| self.draw(area))
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Box<dyn Error>> {
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
        let mut chart = ChartBuilder::on(area)
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
        Ok(())
    }
}

impl Curves<'_> {
    /// Draws the diagram into a file, which is replaced if it exists.
    pub fn write(&self, path: &Path) -> Result<()> {
        write(path, |area| self.draw(area))
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Box<dyn Error>> {
        let most = self.series.iter().flat_map(|series| &series.values).copied().fold(0.1, f64::max);
        let last = self.labels.len().saturating_sub(1) as f64;
        let mut chart = ChartBuilder::on(area)
            .caption(self.title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(60)
            .build_cartesian_2d(-0.2..last + 0.2, 0.0..most * 1.05)?;
        let label = |x: &f64| {
            let near = (x - x.round()).abs() < 0.05;
            let label = self.labels.get(x.round().max(0.0) as usize).filter(|_| near && *x > -0.1);
            label.cloned().unwrap_or_default()
        };
        chart
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .x_labels(2 * self.labels.len() + 1)
            .x_label_formatter(&label)
            .y_label_formatter(&|value| format!("{value:.2}"))
            .draw()?;
        for (i, series) in self.series.iter().enumerate() {
            let colour = Palette99::pick(i).to_rgba();
            let points: Vec<(f64, f64)> =
                (0..).zip(&series.values).map(|(x, &y)| (f64::from(x), y)).collect();
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
            chart
                .draw_series([PathElement::new(points, colour.stroke_width(2))])?
                .label(series.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        }
        chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
        Ok(())
    }
}
