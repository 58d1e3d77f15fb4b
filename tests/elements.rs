//! Elements of slices that may not be there, and what a search finds: `Option`s that are a flag and an item.

use autodiff::check::assert_gradient;
use autodiff::differentiate;

#[differentiate]
fn neighbours(x: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    let mut i = 0;
    while let Some(v) = x.get(i) {
        let right = x.get(i + 1).copied().unwrap_or(k);
        let further = x.get(i + 2).map_or(0.0, |w| w * k);
        sum += v * v * right + further;
        i += 1;
    }
    if let Some(&first) = x.first() {
        sum += first * k;
    }
    let Some(last) = x.last() else { return sum };
    match x.get(1) {
        Some(second) => sum + last * last * second,
        None => sum * last,
    }
}

#[test]
fn elements_are_looked_up() {
    for x in [&[1.0, 2.0, 3.0][..], &[0.5], &[-1.0, 0.25]] {
        let (value, (dx, dk)) = neighbours::gradient(x, 0.5);
        assert_eq!(value, neighbours(x, 0.5));
        assert_gradient(|x: &Vec<f64>| neighbours(x, 0.5), &x.to_vec(), &dx, 1e-6);
        assert_gradient(|k| neighbours(x, *k), &0.5, &dk, 1e-6);
        let direction: Vec<f64> = (1..=x.len()).map(|i| i as f64).collect();
        let along: f64 = dx.iter().zip(&direction).map(|(a, b)| a * b).sum();
        let (_, tangent) = neighbours::jvp(x, 0.5, &direction, 2.0);
        assert!((tangent - along - 2.0 * dk).abs() < 1e-12);
    }
    assert_eq!(neighbours::gradient(&[], 0.5), (0.0, (vec![], 0.0)));
}

#[differentiate]
fn changed_by_index(x: &mut [f64], i: usize) {
    if let Some(v) = x.get_mut(i) {
        *v = *v * *v + offset(i);
    }
    if let Some(last) = x.last_mut() {
        *last *= 3.0;
    }
}

fn offset(i: usize) -> f64 {
    if i == 0 { 1.0 } else { 2.0 }
}

#[test]
fn elements_are_changed() {
    let (mut x, mut bar) = ([2.0, 5.0], [1.0, 10.0]);
    let _ = changed_by_index::vjp(&mut x, 1, &mut bar);
    assert_eq!((x, bar), ([2.0, 81.0], [1.0, 300.0]));
    let (mut x, mut bar) = ([2.0, 5.0], [1.0, 10.0]);
    let _ = changed_by_index::vjp(&mut x, 7, &mut bar);
    assert_eq!((x, bar), ([2.0, 15.0], [1.0, 30.0]));
}

#[differentiate]
fn weighted(x: &[f64], w: &[f64]) -> Result<f64, String> {
    let mut sum = 0.0;
    for (i, a) in x.iter().enumerate() {
        let b = *w.get(i).ok_or("too short")?;
        let c = w.get(i + 1).ok_or_else(|| format!("nothing after {i}"))?;
        sum += a * b * c;
    }
    let top = x.iter().copied().reduce(f64::max);
    Ok(sum + top.unwrap_or(0.0))
}

#[test]
fn missing_elements_are_errors() {
    let (x, w) = ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(weighted::vjp(&x, &w, Some(1.0)), (Ok(53.0), (vec![2.0, 6.0, 13.0], vec![2.0, 7.0, 16.0, 9.0])));
    assert_eq!(weighted::vjp(&x, &w[..2], None).0, Err("nothing after 1".to_owned()));
    assert_eq!(weighted::vjp(&x, &[], None).0, Err("too short".to_owned()));
    assert_eq!(weighted::jvp(&x, &w, &[1.0, 0.0, 10.0], &[0.0; 4]), (Ok(53.0), Some(132.0)));
}

#[differentiate]
fn of_largest(x: &[f64]) -> Option<f64> {
    let top = x.iter().copied().max_by(|a, b| a.total_cmp(b))?;
    if let Some(least) = x.iter().copied().min_by(|a, b| a.total_cmp(b)) {
        return Some(top * least * x.first()?);
    }
    None
}

#[test]
fn what_is_found_is_an_option() {
    assert_eq!(of_largest::vjp(&[2.0, -1.0, 3.0], Some(1.0)), (Some(-6.0), vec![-3.0, 6.0, -2.0]));
    assert_eq!(of_largest::jvp(&[2.0, -1.0, 3.0], &[1.0, 0.0, 10.0]), (Some(-6.0), Some(-23.0)));
    assert_eq!(of_largest::vjp(&[], None), (None, vec![]));
}
