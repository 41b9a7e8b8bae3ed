//! What a crate with a hundred kernels costs: `cargo bench -p looplets-benches --bench hundred`.
//!
//! Writes such a crate into a temporary directory, builds what it depends on, then times `cargo
//! build` and `cargo check` of the crate alone, in the profile `dev`. A build that writes the
//! compiler's traces gives the time of each expansion; writing them is part of that time.

use looplets_benches::options;
use looplets_benches::timing::{human, median};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const VECTORS: [(&str, &str); 4] = [
    ("list", "SparseVec<f64>"),
    ("dense", "DenseVec<f64>"),
    ("band", "Tensor<SparseBand<Element<f64>>>"),
    ("runs", "Tensor<RunList<Element<f64>>>"),
];

const MATRICES: [(&str, &str); 5] = [
    ("csr", "Csr<f64>"),
    ("dense", "DenseMat<f64>"),
    ("dcsr", "Dcsr<f64>"),
    ("bands", "Tensor<Dense<SparseBand<Element<f64>>>>"),
    ("runs", "Tensor<Dense<RunList<Element<f64>>>>"),
];

/// A hundred kernels, no two alike.
fn kernels() -> Vec<String> {
    let mut all = Vec::new();
    for (n, a) in VECTORS {
        for (m, b) in VECTORS {
            all.push(format!("pub fn dot_{n}_{m}(a: &{a}, b: &{b}, s: &mut f64) {{ for i {{ s += a[i] * b[i] }} }}"));
            all.push(format!("pub fn add_{n}_{m}(a: &{a}, b: &{b}) -> (y: DenseVec<f64>) {{ for i {{ y[i] = a[i] + b[i] }} }}"));
            all.push(format!("pub fn max_{n}_{m}(a: &{a}, b: &{b}) -> (y: DenseVec<f64>) {{ for i {{ y[i] = max(a[i], b[i]) }} }}"));
            for (l, c) in &VECTORS[..2] {
                all.push(format!(
                    "pub fn three_{n}_{m}_{l}(a: &{a}, b: &{b}, c: &{c}, s: &mut f64) {{ for i {{ s += a[i] * b[i] * c[i] }} }}"
                ));
            }
        }
    }
    for (n, a) in MATRICES {
        for (m, x) in VECTORS {
            all.push(format!(
                "pub fn mul_{n}_{m}(a: &{a}, x: &{x}) -> (y: DenseVec<f64>) {{ for i, j {{ y[i] += a[i, j] * x[j] }} }}"
            ));
        }
    }
    all.truncate(100);
    assert_eq!(all.len(), 100);
    all
}

fn main() {
    if options().is_none() {
        return;
    }
    let dir = std::env::temp_dir().join(format!("looplets-hundred-{}", std::process::id()));
    let outcome = measure(&dir);
    // What is left behind is only rubbish in the directory for it.
    let _ = fs::remove_dir_all(&dir);
    if let Err(error) = outcome {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn measure(dir: &Path) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("inside the workspace");
    fs::create_dir_all(dir.join("src")).map_err(|e| format!("{}: {e}", dir.display()))?;
    write(
        &dir.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"hundred\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\nlooplets = {{ path = {:?} }}\n\n[workspace]\n",
            root
        ),
    )?;
    if let Ok(lock) = fs::read_to_string(root.join("Cargo.lock")) {
        write(&dir.join("Cargo.lock"), &lock)?;
    }
    let source = dir.join("src/lib.rs");
    let all = format!(
        "use looplets::prelude::*;\n\n{}",
        kernels().iter().map(|k| format!("finch! {{ {k} }}\n")).collect::<String>()
    );
    for verb in ["build", "check"] {
        write(&source, "")?;
        println!("{verb} of what it depends on: {}", human(cargo(dir, verb, None)?.as_secs_f64()));
        let mut times = Vec::new();
        let mut empty = Vec::new();
        for run in 0..5 {
            write(&source, &format!("// {run}\n{all}"))?;
            times.push(cargo(dir, verb, None)?.as_secs_f64());
            write(&source, &format!("// {run}\n"))?;
            empty.push(cargo(dir, verb, None)?.as_secs_f64());
        }
        println!(
            "{verb} of 100 kernels: {}, of an empty crate: {}",
            human(median(times)),
            human(median(empty))
        );
    }
    let trace = dir.join("trace");
    write(&source, &all)?;
    cargo(dir, "build", Some(&trace))?;
    let mut costs = costs(&trace)?;
    costs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let total: f64 = costs.iter().map(|c| c.0).sum();
    println!("expansions of {} kernels, with traces: {}", costs.len(), human(total));
    for (seconds, name) in costs.iter().take(5) {
        println!("  {:>9} {name}", human(*seconds));
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn cargo(dir: &Path, verb: &str, trace: Option<&PathBuf>) -> Result<Duration, String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args([verb, "--quiet", "--offline"])
        .current_dir(dir)
        .env("CARGO_TARGET_DIR", dir.join("target"));
    command.env_remove("LOOPLETS_TRACE");
    if let Some(trace) = trace {
        command.env("LOOPLETS_TRACE", trace);
    }
    let began = Instant::now();
    let output = command.output().map_err(|e| format!("cargo: {e}"))?;
    let took = began.elapsed();
    if output.status.success() {
        return Ok(took);
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Seconds and name of each expansion that was traced.
fn costs(trace: &Path) -> Result<Vec<(f64, String)>, String> {
    let mut costs = Vec::new();
    for entry in fs::read_dir(trace).map_err(|e| format!("{}: {e}", trace.display()))? {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.extension().is_none_or(|e| e != "cost") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| e.to_string())?;
        let time = text
            .lines()
            .find_map(|l| l.strip_prefix("time "))
            .ok_or(format!("{}: no time", path.display()))?;
        let seconds = duration(time).ok_or(format!("{}: `{time}`", path.display()))?;
        costs.push((seconds, path.file_stem().unwrap_or_default().to_string_lossy().into_owned()));
    }
    Ok(costs)
}

/// A `Duration` as its `Debug` writes it.
fn duration(text: &str) -> Option<f64> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.')?);
    let scale = match unit {
        "s" => 1.0,
        "ms" => 1e-3,
        "µs" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * scale)
}
