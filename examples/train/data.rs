//! The red wines: eleven laboratory measurements of each, and the grade that tasters gave it.

use linfa_datasets::winequality;
use nalgebra::DVector;

/// The tasters' lowest grade in this data set; grades are classes from here upwards.
const LOWEST_GRADE: usize = 3;

/// Wines with their measurements and their grade, counted from 0.
pub(crate) struct Wines {
    pub(crate) features: Vec<DVector<f64>>,
    pub(crate) classes: Vec<usize>,
}

impl Wines {
    /// Every wine once: repeated rows would let a network meet held-out wines in training.
    pub(crate) fn distinct() -> Self {
        let table = winequality();
        let mut rows: Vec<(Vec<f64>, usize)> =
            table.records.rows().into_iter().zip(&table.targets).map(|(row, grade)| (row.to_vec(), grade - LOWEST_GRADE)).collect();
        rows.sort_by(|a, b| a.0.partial_cmp(&b.0).expect("measurements are numbers"));
        rows.dedup();
        let (features, classes) = rows.into_iter().map(|(row, class)| (DVector::from_vec(row), class)).unzip();
        Self { features, classes }
    }

    pub(crate) fn len(&self) -> usize {
        self.classes.len()
    }

    /// A random `fraction` of the wines, and the rest.
    pub(crate) fn split(self, fraction: f64, random: &mut Random) -> (Self, Self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        random.shuffle(&mut order);
        let (first, second) = order.split_at((fraction * self.len() as f64).round() as usize);
        (self.select(first), self.select(second))
    }

    fn select(&self, indices: &[usize]) -> Self {
        Self {
            features: indices.iter().map(|&i| self.features[i].clone()).collect(),
            classes: indices.iter().map(|&i| self.classes[i]).collect(),
        }
    }

    /// How many wines each class has.
    pub(crate) fn counts(&self) -> Vec<usize> {
        let classes = self.classes.iter().max().map_or(0, |largest| largest + 1);
        let mut counts = vec![0; classes];
        for &class in &self.classes {
            counts[class] += 1;
        }
        counts
    }
}

/// Shifts and scales each measurement to mean 0 and variance 1.
pub(crate) struct Standardiser {
    mean: DVector<f64>,
    deviation: DVector<f64>,
}

impl Standardiser {
    /// Measured on `wines`, which must be those of the training alone.
    pub(crate) fn fit(wines: &Wines) -> Self {
        let n = wines.len() as f64;
        let width = wines.features[0].len();
        let mut mean = DVector::zeros(width);
        for x in &wines.features {
            mean += x / n;
        }
        let mut variance = DVector::zeros(width);
        for x in &wines.features {
            variance += (x - &mean).map(|d| d * d / n);
        }
        Self { mean, deviation: variance.map(f64::sqrt) }
    }

    pub(crate) fn apply(&self, wines: &mut Wines) {
        for x in &mut wines.features {
            *x -= &self.mean;
            x.component_div_assign(&self.deviation);
        }
    }
}

/// Splitmix64: the same wines, weights and batches in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform between -1 and 1.
    pub(crate) fn symmetric(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, (self.next() % (i as u64 + 1)) as usize);
        }
    }
}
