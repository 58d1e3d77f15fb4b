use autodiff::differentiate;

type Checked = Result<f64, String>;

#[differentiate]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 { Err("negative".to_owned()) } else { Ok(x.sqrt()) }
}

#[differentiate]
fn f(x: f64) -> Checked {
    let y = root(x)?;
    Ok(y * x)
}

fn main() {}
