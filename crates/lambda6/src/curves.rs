//! Figures as SVG: curves over a few labelled points.

use crate::output;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::path::Path;

/// A curve: a name and a value for every label.
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) values: Vec<f64>,
}

/// A diagram of curves.
pub(crate) struct Curves<'a> {
    pub(crate) title: &'a str,
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
    pub(crate) labels: Vec<String>,
    pub(crate) curves: Vec<Curve>,
}

const SIZE: (u32, u32) = (900, 520);

impl Curves<'_> {
    /// Draws the diagram into a file, which is replaced if it exists.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let mut text = String::new();
        self.draw(&mut text).map_err(|error| anyhow!("{}: cannot be drawn: {error}", path.display()))?;
        output::file(path, text.as_bytes(), true)
    }

    fn draw(&self, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let most = self.curves.iter().flat_map(|curve| &curve.values).copied().fold(0.1, f64::max);
        let last = self.labels.len().saturating_sub(1) as f64;
        let mut chart = ChartBuilder::on(&root)
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
        for (i, curve) in self.curves.iter().enumerate() {
            let colour = Palette99::pick(i).to_rgba();
            let points: Vec<(f64, f64)> = (0..).zip(&curve.values).map(|(x, &y)| (f64::from(x), y)).collect();
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
            chart
                .draw_series([PathElement::new(points, colour.stroke_width(2))])?
                .label(curve.name.as_str())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        }
        chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
        root.present()?;
        Ok(())
    }
}
