//! Declarations that declare nothing.

use super::sources::*;

#[test]
fn declarations_that_lack_something() {
    insta::assert_snapshot!(declarations(&[
        "",
        "pub enum L {}",
        "pub struct L<'a: 'static, Child> { len: usize, child: Child }",
        "pub struct L<Child>",
        "pub struct L<Child> { len: usize, child: Child }",
        "pub struct L<Child> { len: usize, child: Child } read walk(p) { run(child[p]) }",
        "pub struct L<Child> { child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) }",
        "pub struct L { len: usize } invariant(f) { Ok(f) } read walk(p) { run(fill) }",
        "pub struct L { len: usize, val: Vec<f64> } invariant(f) { Ok(f) } read value(p) { val[p] }",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) } write append(p, i) {}",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk, walk(p) { run(child[p]) }",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) } read lead, walk(p) { run(child[p]) }",
        "pub struct L<Child> { len: usize, child: Child } view walk(p) { run(child[p]) }",
        "pub struct L<Child> { len: usize, child: Child } invariant { Ok(0) } read walk(p) { run(child[p]) }",
        "pub type L<Child> Tensor<Child>;",
        "pub type L<Child> = Tensor<Child>",
        "pub fill F: f64;",
        "pub fill F: f64 = ;",
        "pub struct L { val: Vec<f64> } invariant(f) { Ok(f) } read value(p) { val[p] } leaf f64 = Zero;",
        "pub struct L { val: Vec<f64> } invariant(f) { Ok(f) } leaf f64 = Zero; leaf f64 = Zero; read value(p) { val[p] }",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } invariant(f) { Ok(f) } read walk(p) { run(child[p]) }",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read locate(p) { child[p] }",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p, i) { child[p] }",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read locate, walk(p, i) { child[p] }",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk { run(child[p]) }",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p, i, j) { run(child[p]) }",
    ]), @r#"
    (nothing)
      1:1: expected a declaration: a level is `pub struct Name<Child> { .. }`, an alias `pub type Name = ..;`, a fill marker `pub fill Name = ..;`, an operator `pub fn name(a: T, b: T) -> T { .. }`, a set of rules `pub rules name { .. }`
    pub enum L {}
      1:5: expected a declaration: a level is `pub struct Name<Child> { .. }`, an alias `pub type Name = ..;`, a fill marker `pub fill Name = ..;`, an operator `pub fn name(a: T, b: T) -> T { .. }`, a set of rules `pub rules name { .. }`
    pub struct L<'a: 'static, Child> { len: usize, child: Child }
      1:14: a format takes types, constants and lifetimes without bounds
    pub struct L<Child>
      1:1: unexpected end of input, expected curly braces
    pub struct L<Child> { len: usize, child: Child }
      1:12: a level needs at least one `read` protocol
    pub struct L<Child> { len: usize, child: Child } read walk(p) { run(child[p]) }
      1:12: a level needs `invariant(fibers) { .. }`: Rust that checks the fields and gives `Ok(number of child fibers)` or `Err(reason)`
    pub struct L<Child> { child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) }
      1:12: a level needs the size of its dimension: a field `len: usize`
    pub struct L { len: usize } invariant(f) { Ok(f) } read walk(p) { run(fill) }
      1:12: a level needs one field `child: Child`; a level of values says `leaf Type = Fill;` before its `read`
    pub struct L { len: usize, val: Vec<f64> } invariant(f) { Ok(f) } read value(p) { val[p] }
      1:83: `val[..]` is no looplet: write `child[position]`, or, in a level of values, `leaf Type = Fill;` before the `read`
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) } write append(p, i) {}
      1:110: `write` of a level needs `child: position` and `children(fibers) { count }`
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk, walk(p) { run(child[p]) }
      1:84: protocol `walk` is declared twice: leave one
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) } read lead, walk(p) { run(child[p]) }
      1:115: protocol `walk` is declared twice: leave one
    pub struct L<Child> { len: usize, child: Child } view walk(p) { run(child[p]) }
      1:50: expected `invariant`, `unsafe invariant`, `fiber`, `leaf`, `read`, `write`, `split`, `words`, `join` or `swap`
    pub struct L<Child> { len: usize, child: Child } invariant { Ok(0) } read walk(p) { run(child[p]) }
      1:60: expected `invariant(fibers) { .. }`
    pub type L<Child> Tensor<Child>;
      1:19: expected `=`
    pub type L<Child> = Tensor<Child>
      1:1: expected `;`
    pub fill F: f64;
      1:16: expected `=`
    pub fill F: f64 = ;
      1:19: expected an expression
    pub struct L { val: Vec<f64> } invariant(f) { Ok(f) } read value(p) { val[p] } leaf f64 = Zero;
      1:71: `val[..]` is no looplet: write `child[position]`, or, in a level of values, `leaf Type = Fill;` before the `read`
    pub struct L { val: Vec<f64> } invariant(f) { Ok(f) } leaf f64 = Zero; leaf f64 = Zero; read value(p) { val[p] }
      1:72: `leaf` is given twice: leave one
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } invariant(f) { Ok(f) } read walk(p) { run(child[p]) }
      1:73: `invariant` is given twice: leave one
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read locate(p) { child[p] }
      1:78: `locate` reads at one coordinate: `read locate(p, i) { .. }`
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p, i) { child[p] }
      1:78: only `locate` takes a coordinate: `read walk(p) { .. }`
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read locate, walk(p, i) { child[p] }
      1:86: only `locate` takes a coordinate: `read walk(p) { .. }`
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk { run(child[p]) }
      1:83: expected `read walk(p) { .. }`
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p, i, j) { run(child[p]) }
      1:87: expected `read walk(p) { .. }`
    "#);
}

/// A declaration whose read protocol is `nest`.
fn nests(all: &[&str]) -> String {
    all.iter()
        .map(|nest| {
            let head = "pub struct L<Child> { len: usize, child: Child }\ninvariant(fibers) { Ok(fibers) }\nread walk(p) {\n";
            // The nest starts on the fourth line.
            let error = declaration(&format!("{head}{nest}\n}}"));
            let error = match error.split_once(':') {
                Some((line, rest)) if line.parse::<usize>().is_ok() => {
                    format!("{}:{rest}", line.parse::<usize>().expect("checked") as i64 - 3)
                }
                _ => error,
            };
            format!("{}\n  {error}\n", shown(nest))
        })
        .collect()
}

#[test]
fn nests_that_are_no_nests() {
    insta::assert_snapshot!(nests(&[
        "",
        "42",
        "child",
        "jump(fill)",
        "run()",
        "run(child)",
        "run(fill, fill)",
        "run(fill) run(fill)",
        "spike(fill)",
        "spike(run(fill), fill)",
        "pipeline {}",
        "pipeline { ..3 => run(fill) }",
        "pipeline { 3 => run(fill), .. => run(fill) }",
        "switch {}",
        "switch { p > 0 => run(fill) }",
        "switch { p > 0, _ => run(fill) }",
        "shift(run(fill))",
        "lookup(child[p])",
        "lookup(|i, j| child[i])",
        "stepper {}",
        "stepper { stop: 3 }",
        "stepper { stop: 3, body: run(fill) }",
        "stepper { for q in 0..3, stop: 3, body: run(fill), next: q += 1 }",
        "stepper { for (q, e) in 0..3, stop: 3, body: run(fill) }",
        "stepper { for q in 0..3, group: q + 1, stop: 3, body: run(fill) }",
        "stepper { for q in 3, stop: 3, body: run(fill) }",
        "stepper { for q in 0.., stop: 3, body: run(fill) }",
        "stepper { seek: 3, stop: 3, body: run(fill), next: p += 1 }",
        "stepper { halt: 3, body: run(fill), next: p += 1 }",
        "jumper { stop: 3 }",
        "let q = 3 run(fill)",
        "let q = 3;",
        "stepper { stop: 3, stop: 4, body: run(fill), next: p += 1 }",
        "stepper",
        "spike(fill, 3)",
        "pipeline { ..3 run(fill) }",
    ]), @r#"
    (nothing)
      2:1: expected a looplet (run, spike, pipeline, stepper, jumper, unordered, switch, shift, lookup), `fill` or `child[position]`
    42
      1:1: expected a looplet (run, spike, pipeline, stepper, jumper, unordered, switch, shift, lookup), `fill` or `child[position]`
    child
      1:1: expected a looplet (run, spike, pipeline, stepper, jumper, unordered, switch, shift, lookup), `fill` or `child[position]`
    jump(fill)
      1:1: expected a looplet (run, spike, pipeline, stepper, jumper, unordered, switch, shift, lookup), `fill` or `child[position]`
    run()
      1:1: expected `fill` or `child[position]` between the parentheses
    run(child)
      1:5: expected `fill` or `child[position]`
    run(fill, fill)
      1:9: unexpected token, expected `)`
    run(fill) run(fill)
      1:11: expected the end of the protocol: one looplet nest, after its `let`s
    spike(fill)
      1:1: expected `spike(body, tail)`
    spike(run(fill), fill)
      1:7: expected `fill` or `child[position]`
    pipeline {}
      1:1: the last phase of a pipeline is `.. => looplet`, up to the end
    pipeline { ..3 => run(fill) }
      1:1: the last phase of a pipeline is `.. => looplet`, up to the end
    pipeline { 3 => run(fill), .. => run(fill) }
      1:12: expected a phase, `..stop => looplet`; the last one is `.. => looplet`
    switch {}
      1:1: the last case of a switch is `_ => looplet`
    switch { p > 0 => run(fill) }
      1:1: the last case of a switch is `_ => looplet`
    switch { p > 0, _ => run(fill) }
      1:15: expected a case, `condition => looplet`; the last one is `_ => looplet`
    shift(run(fill))
      1:1: expected `shift(delta, looplet)`
    lookup(child[p])
      1:8: expected `lookup(|i| child[..])`
    lookup(|i, j| child[i])
      1:10: expected `lookup(|i| child[..])`
    stepper {}
      1:1: a stepper needs `stop: ..` and `body: ..`
    stepper { stop: 3 }
      1:1: a stepper needs `stop: ..` and `body: ..`
    stepper { stop: 3, body: run(fill) }
      1:1: a stepper has either `for q in lo..hi` or `next: ..`
    stepper { for q in 0..3, stop: 3, body: run(fill), next: q += 1 }
      1:1: a stepper has either `for q in lo..hi` or `next: ..`
    stepper { for (q, e) in 0..3, stop: 3, body: run(fill) }
      1:1: `for (q, after) in lo..hi` and `group: ..`, where `after` is one past the group's last position, belong together
    stepper { for q in 0..3, group: q + 1, stop: 3, body: run(fill) }
      1:1: `for (q, after) in lo..hi` and `group: ..`, where `after` is one past the group's last position, belong together
    stepper { for q in 3, stop: 3, body: run(fill) }
      1:20: expected `lo..hi`
    stepper { for q in 0.., stop: 3, body: run(fill) }
      1:20: expected `lo..hi`
    stepper { seek: 3, stop: 3, body: run(fill), next: p += 1 }
      1:11: expected `for q in lo..hi`, `seek(i): ..`, `stop: ..`, `body: ..`, `next: ..`, `leap(i): ..`, `jump(i): ..`, `group: ..` or `while more`
    stepper { halt: 3, body: run(fill), next: p += 1 }
      1:11: expected `for q in lo..hi`, `seek(i): ..`, `stop: ..`, `body: ..`, `next: ..`, `leap(i): ..`, `jump(i): ..`, `group: ..` or `while more`
    jumper { stop: 3 }
      1:1: a jumper needs `stop: ..` and `body: ..`
    let q = 3 run(fill)
      1:11: expected `;`
    let q = 3;
      2:1: expected a looplet (run, spike, pipeline, stepper, jumper, unordered, switch, shift, lookup), `fill` or `child[position]`
    stepper { stop: 3, stop: 4, body: run(fill), next: p += 1 }
      1:20: `stop` is given twice: leave one
    stepper
      1:1: expected `stepper { .. }`
    spike(fill, 3)
      1:13: expected `fill` or `child[position]`
    pipeline { ..3 run(fill) }
      1:16: expected a phase, `..stop => looplet`; the last one is `.. => looplet`
    "#);
}

#[test]
fn writes_that_are_no_writes() {
    let head = "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) }\n";
    let all: Vec<String> = [
        "write push(p, i) { child: p, children(f) { Some(f) } }",
        "write append { child: p }",
        "write append(p, i) { child: p }",
        "write append(p, i) { children(f) { Some(f) } }",
        "write append(p, i) { child: p, close: {} }",
        "write append(p, i) { child: p, commit: p, children(f) { Some(f) } }",
        "write append(p, i) { child: p, children { Some(f) } }",
        "write append(p, i) { child: p, child: p, children(f) { Some(f) } }",
        "write append(p, i) { child, children(f) { Some(f) } }",
        "write append(p, i) { each: crd }",
        "write append(p, i) { each {} }",
        "write append(p, i) { each { crd } }",
        "write append(p, i) { each { 0: i } }",
        "write append(p, i) { each { crd: i } each { crd: i } }",
        "write append(p, i) { each { crd: i } child: p }",
        "write locate(p, i) { each { crd: i } }",
        "write insert(p, i) { each { crd: i } }",
        "write append(p, i) { child: p, note(q) {} }",
        "write insert(p, i) { child: p, note(q) {} }",
        "write append(p, i) { child: p, sort(f) {} }",
        "write append(p, i) { child: p, find: p }",
        "write locate(p, i) { stale, child: p, clear: {}, children: len }",
        "write append(p, i) { runs, covers, exact, child: p, extend: {}, children(f) { Some(f) } }",
        "write value(p) { exact, place: p }",
        "write append(p, i) { child: p, children(f) { Some(f) } } write append(p, i) { child: p, children(f) { Some(f) } }",
    ]
    .iter()
    .map(|w| format!("{head}{w}"))
    .collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    insta::assert_snapshot!(declarations(&all).replace(head, ""), @r#"
    write push(p, i) { child: p, children(f) { Some(f) } }
      2:7: a write protocol is `append`, `insert`, `locate` or, for a leaf, `value`
    write append { child: p }
      2:14: expected `write append(p, i) { .. }`
    write append(p, i) { child: p }
      2:7: `write` of a level needs `child: position` and `children(fibers) { count }`
    write append(p, i) { children(f) { Some(f) } }
      2:7: `write` of a level needs `child: position` and `children(fibers) { count }`
    write append(p, i) { child: p, close: {} }
      2:32: expected `open`, `entry`, `each`, `find`, `child`, `commit`, `note(q)`, `extend`, `thaw`, `clear`, `runs`, `covers`, `exact`, `stale`, `words(w)`, `fold(at)`, `children(fibers)`, `children: len`, `sort(fibers)`, `finish(fibers)`, or in a leaf `reserve(fibers)` and `place`
    write append(p, i) { child: p, commit: p, children(f) { Some(f) } }
      2:40: expected `commit: { .. }`
    write append(p, i) { child: p, children { Some(f) } }
      2:41: expected `children(fibers) { .. }`
    write append(p, i) { child: p, child: p, children(f) { Some(f) } }
      2:32: `child` is given twice: leave one
    write append(p, i) { child, children(f) { Some(f) } }
      2:27: expected `child: position`
    write append(p, i) { each: crd }
      2:26: expected `each { array: element }`
    write append(p, i) { each {} }
      2:28: expected `each { array: element }`: an entry is an element of something
    write append(p, i) { each { crd } }
      2:29: expected `each { array: element }`
    write append(p, i) { each { 0: i } }
      2:29: expected `each { array: element }`
    write append(p, i) { each { crd: i } each { crd: i } }
      2:38: `each` is given twice: leave one
    write append(p, i) { each { crd: i } child: p }
      2:22: `each` says what `child` is: leave one
    write locate(p, i) { each { crd: i } }
      2:22: `each` is of `append`, and of an `insert` with `note`: where entries have a place, say `child`
    write insert(p, i) { each { crd: i } }
      2:22: `each` is of `append`, and of an `insert` with `note`: where entries have a place, say `child`
    write append(p, i) { child: p, note(q) {} }
      2:32: `note` is of `insert`: it has `find` find a new entry
    write insert(p, i) { child: p, note(q) {} }
      2:32: `note` stands beside `each`, which says what an entry is: else `commit` stores it
    write append(p, i) { child: p, sort(f) {} }
      2:32: `sort` is of `insert` and `locate`: what is appended is in order
    write append(p, i) { child: p, find: p }
      2:32: `find` is of `insert` and `locate`: what is appended is new
    write locate(p, i) { stale, child: p, clear: {}, children: len }
      2:22: `stale` is of a `locate` with `find` and `clear`: values that `clear` leaves are no values where nothing is found
    write append(p, i) { runs, covers, exact, child: p, extend: {}, children(f) { Some(f) } }
      2:36: `covers` says that fill is stored that nobody writes: `exact` would say that none is
    write value(p) { exact, place: p }
      2:18: `exact` is of levels above a leaf: a leaf stores what the level above it does
    write append(p, i) { child: p, children(f) { Some(f) } } write append(p, i) { child: p, children(f) { Some(f) } }
      2:58: `write` is given twice: leave one
    "#);
}

#[test]
fn splits_and_joins_say_what_is_missing() {
    let of = |fields: &str, clause: &str| {
        declarations(&[&format!(
            "pub struct L<Child> {{ len: usize, {fields} child: Child }} invariant(f) {{ Ok(f) }} read walk(p) {{ run(child[p]) }} {clause}"
        )])
    };
    let array = "pos: Vec<usize>,";
    for (fields, clause, words) in [
        (array, "split(p) { p }", "expected `split(p, i) { child position }`"),
        (array, "split(p, i) { p } split(p, i) { p }", "`split` is given twice"),
        (array, "join(pos: sum);", "an array becomes `offsets`, `entries` or `coordinates`"),
        (array, "join(len: offsets);", "an array becomes `offsets`, `entries` or `coordinates`"),
        (array, "join(len: sum);", "`join` says nothing of `pos`"),
        ("width: usize,", "join(len: sum);", "`join` says nothing of `width`"),
    ] {
        let said = of(fields, clause);
        assert!(said.contains(words), "{clause}: {said}");
    }
}

#[test]
fn protocols_declared_twice_at_once() {
    let of = |read: &str| {
        declarations(&[&format!(
            "pub struct L<Child> {{ len: usize, child: Child }} invariant(f) {{ Ok(f) }} {read}"
        )])
    };
    let stepper = |seek: &str| {
        format!("{{ stepper {{ for q in 0..len, {seek} stop: q + 1, body: run(child[q]) }} }}")
    };
    for (read, words) in [
        ("read walk | gallop(p) { run(child[p]) }".to_owned(), "nothing in this protocol steps"),
        (format!("read walk | locate(p, i) {}", stepper("")), "`locate` neither steps nor jumps"),
        (format!("read walk | walk(p) {}", stepper("")), "protocol `walk` is declared twice"),
        (
            format!("read walk(p) {}", stepper("jump(i): i,")),
            "`jump` is how the names behind `|` seek",
        ),
        (
            format!("read walk | gallop(p) {}", stepper("jump(i): i, jump(i): i,")),
            "`jump` is given twice",
        ),
    ] {
        let said = of(&read);
        assert!(said.contains(words), "{read}: {said}");
    }
    let fine = of(&format!("read walk | gallop(p) {}", stepper("seek(i): i, jump(i): i,")));
    assert!(!fine.contains("1:"), "{fine}");
}
