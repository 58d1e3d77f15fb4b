//! Bundle adjustment: the blocks of the Jacobian against differences and forward mode, and against the recorded derivatives
//! of the standard benchmark where its folder is given:
//!
//! ```text
//! AUTODIFF_ADBENCH=path cargo test --test bundle_adjustment -- --nocapture
//! ```

#[path = "../benches/functions/bundle.rs"]
#[allow(unreachable_pub, clippy::needless_range_loop, reason = "shared with benches; a program as users write it")]
mod bundle;

use std::path::{Path, PathBuf};

use autodiff::Tangent;
use autodiff::check::assert_gradient;
use bundle::{Camera, Observation, Point, block, error, weight_error};

struct Problem {
    cameras: Vec<Camera>,
    points: Vec<Point>,
    observations: Vec<Observation>,
}

impl Problem {
    /// The errors of images, those of weights, the blocks, and the derivatives of the errors of weights.
    fn jacobian(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut values, mut derivatives) = (Vec::new(), Vec::new());
        for seen in &self.observations {
            let (error, rows) = block(&self.cameras[seen.camera], &self.points[seen.point], seen.weight, &seen.feature);
            values.extend(error);
            for (camera, point, weight) in rows {
                derivatives.extend(camera);
                derivatives.extend(point);
                derivatives.push(weight);
            }
        }
        for seen in &self.observations {
            let (value, derivative) = weight_error::gradient(seen.weight);
            values.push(value);
            derivatives.push(derivative);
        }
        (values, derivatives)
    }
}

/// Numbers without a pattern in [-1, 1].
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / 2_f64.powi(30) - 1.0
    }
}

/// Cameras about the origin, the first of them not turned at all, and points before them.
fn problem(cameras: usize, points: usize, observations: usize) -> Problem {
    let mut random = Random(3);
    let camera = |k: usize, random: &mut Random| -> Camera {
        let turn = if k == 0 { 0.0 } else { 0.3 };
        let mut camera = [0.0; 11];
        camera[..3].iter_mut().for_each(|x| *x = turn * random.next());
        camera[3..6].iter_mut().for_each(|x| *x = random.next());
        (camera[6], camera[7], camera[8]) = (500.0 + 50.0 * random.next(), 10.0 * random.next(), 10.0 * random.next());
        (camera[9], camera[10]) = (0.1 * random.next(), 0.01 * random.next());
        camera
    };
    let cameras: Vec<Camera> = (0..cameras).map(|k| camera(k, &mut random)).collect();
    let points: Vec<Point> = (0..points).map(|_| [random.next(), random.next(), 6.0 + random.next()]).collect();
    let observations = (0..observations).map(|i| Observation {
        camera: i % cameras.len(),
        point: (5 * i) % points.len(),
        weight: 1.0 + 0.2 * random.next(),
        feature: [300.0 * random.next(), 300.0 * random.next()],
    });
    let observations = observations.collect();
    Problem { cameras, points, observations }
}

#[test]
fn blocks_agree_with_differences_and_with_forward_mode() {
    let problem = problem(4, 7, 28);
    for seen in &problem.observations {
        let (camera, point) = (&problem.cameras[seen.camera], &problem.points[seen.point]);
        let (value, rows) = block(camera, point, seen.weight, &seen.feature);
        let (same, by_hand) = bundle::by_hand::block(camera, point, seen.weight, &seen.feature);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs().max(1.0);
        assert!(value.iter().zip(same).all(|(&a, b)| close(a, b)));
        assert!(rows.flatten().iter().zip(by_hand.flatten()).all(|(&a, b)| close(a, b)), "{rows:?} {by_hand:?}");
        assert_eq!(value, error(camera, point, seen.weight, &seen.feature));
        for (k, (of_camera, of_point, of_weight)) in rows.iter().enumerate() {
            // Where a rotation is exactly 0, the function is written for that point alone: differences cannot cross it.
            if seen.camera != 0 {
                assert_gradient(|camera| error(camera, point, seen.weight, &seen.feature)[k], camera, of_camera, 1e-6);
            }
            assert_gradient(|point| error(camera, point, seen.weight, &seen.feature)[k], point, of_point, 1e-6);
            assert_gradient(|weight| error(camera, point, *weight, &seen.feature)[k], &seen.weight, of_weight, 1e-6);
            for column in 0..15 {
                let unit = |at: usize| f64::from(u8::from(at == column));
                let (camera_dot, point_dot) = (std::array::from_fn(unit), std::array::from_fn(|i| unit(11 + i)));
                let (_, pushed) = error::jvp(camera, point, seen.weight, &seen.feature, &camera_dot, &point_dot, unit(14));
                let all: Vec<f64> = of_camera.iter().chain(of_point).copied().chain([*of_weight]).collect();
                assert!((pushed[k] - all[column]).abs() <= 1e-12 * all[column].abs().max(1.0), "row {k}, column {column}");
            }
        }
    }
}

/// The numbers of a file.
fn numbers(path: &Path) -> Vec<f64> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.split_whitespace().map(|number| number.parse().expect("a number")).collect()
}

/// Reads a problem; in the short form one camera, point and observation stand for all.
fn read(path: &Path, distinct: bool) -> Problem {
    let mut numbers = numbers(path).into_iter();
    let mut next = || numbers.next().expect("one more number");
    let (cameras, points, observations) = (next() as usize, next() as usize, next() as usize);
    let (given_cameras, given_points) = if distinct { (cameras, points) } else { (1, 1) };
    let cameras = (0..given_cameras).map(|_| std::array::from_fn(|_| next())).collect();
    let points = (0..given_points).map(|_| std::array::from_fn(|_| next())).collect();
    let weights: Vec<f64> = (0..if distinct { observations } else { 1 }).map(|_| next()).collect();
    let observations = weights.into_iter().map(|weight| {
        let (camera, point) = if distinct { (next() as usize, next() as usize) } else { (0, 0) };
        Observation { camera, point, weight, feature: [next(), next()] }
    });
    let observations = observations.collect();
    Problem { cameras, points, observations }
}

/// `max|difference| / max|golden|` at most 1e-10, and 1e-7 of each number with a floor, as the benchmark asks.
#[track_caller]
fn assert_golden(name: &str, got: &[f64], golden: &[f64]) {
    assert_eq!(got.len(), golden.len(), "{name}");
    let largest = golden.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let mut worst = 0.0_f64;
    for (i, (got, wanted)) in got.iter().zip(golden).enumerate() {
        worst = worst.max((got - wanted).abs() / largest);
        let size = wanted.abs().max(1e-8 * largest);
        assert!((got - wanted).abs() <= 1e-7 * size, "{name}, number {i}: {got} but {wanted}");
    }
    assert!(worst <= 1e-10, "{name}: {worst:e}");
    println!("{name}: {} numbers, largest difference {worst:.1e} of the largest number", got.len());
}

#[test]
fn golden_derivatives() {
    let Some(folder) = std::env::var_os("AUTODIFF_ADBENCH").map(PathBuf::from) else {
        println!("skipped: AUTODIFF_ADBENCH names no folder");
        return;
    };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.join("data/ba")).expect("data/ba").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let problem = read(&path, name.starts_with("ba_distinct"));
        let (values, derivatives) = problem.jacobian();
        let got: Vec<f64> = values.into_iter().chain(derivatives).collect();
        assert_golden(&name, &got, &numbers(&folder.join("golden").join(&name)));
    }
}

/// The whole Jacobian as one matrix: two rows for each image, then one for each weight.
#[cfg(feature = "sparse")]
mod whole {
    use super::{Problem, bundle, problem};
    use autodiff::sparse::Compression;
    use nalgebra_sparse::CsrMatrix;
    use nalgebra_sparse::pattern::SparsityPattern;

    impl Problem {
        fn pattern(&self) -> SparsityPattern {
            let (p, first_point) = (self.observations.len(), 11 * self.cameras.len());
            let first_weight = first_point + 3 * self.points.len();
            let (mut offsets, mut columns) = (vec![0], Vec::new());
            for (i, seen) in self.observations.iter().enumerate() {
                for _ in 0..2 {
                    columns.extend(11 * seen.camera..11 * (seen.camera + 1));
                    columns.extend(first_point + 3 * seen.point..first_point + 3 * (seen.point + 1));
                    columns.push(first_weight + i);
                    offsets.push(columns.len());
                }
            }
            for i in 0..p {
                columns.push(first_weight + i);
                offsets.push(columns.len());
            }
            SparsityPattern::try_from_offsets_and_indices(3 * p, first_weight + p, offsets, columns).expect("in order")
        }

        /// The derivatives of all errors along a direction.
        fn push(&self, (cameras, points, weights): &(Vec<[f64; 11]>, Vec<[f64; 3]>, Vec<f64>)) -> Vec<f64> {
            let images = self.observations.iter().zip(weights).flat_map(|(seen, weight)| {
                let (camera, point) = (&self.cameras[seen.camera], &self.points[seen.point]);
                let (of_camera, of_point) = (&cameras[seen.camera], &points[seen.point]);
                bundle::error::jvp(camera, point, seen.weight, &seen.feature, of_camera, of_point, *weight).1
            });
            let of_weights = self.observations.iter().zip(weights).map(|(seen, weight)| bundle::weight_error::jvp(seen.weight, *weight).1);
            images.collect::<Vec<f64>>().into_iter().chain(of_weights).collect()
        }
    }

    #[test]
    fn by_blocks_and_by_compressed_columns() {
        let problem = problem(4, 7, 28);
        let (_, values) = problem.jacobian();
        let blocks = CsrMatrix::try_from_pattern_and_values(problem.pattern(), values).expect("a value for each entry");
        let weights: Vec<f64> = problem.observations.iter().map(|seen| seen.weight).collect();
        let at = (problem.cameras.clone(), problem.points.clone(), weights);
        // A camera, a point and a weight at a time, whatever their number.
        let compression = Compression::of_columns(problem.pattern());
        assert!((15..30).contains(&compression.sweeps()), "{}", compression.sweeps());
        let compressed = compression.matrix(&at, |direction| problem.push(&direction));
        for (block, column) in blocks.values().iter().zip(compressed.values()) {
            assert!((block - column).abs() <= 1e-12 * block.abs().max(1.0), "{block} {column}");
        }
    }
}
