//! The golden vectors of `data/golden/xelto.tsv`.

/// The fields of every line of the golden file for a subject.
pub(super) fn golden(subject: &str, what: &str) -> Vec<Vec<String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden/xelto.tsv");
    let file = std::fs::read_to_string(path).expect("the golden file is part of the project");
    let lines = file.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let of_it = lines.filter(|fields| fields[0] == subject && fields.get(1).is_some_and(|f| f == what));
    let found: Vec<_> = of_it.map(|fields| fields[2..].to_vec()).collect();
    assert!(!found.is_empty(), "no golden {what} of {subject}");
    found
}
