//! The documents name paths; this keeps them true.

use std::path::Path;

#[test]
fn every_path_that_the_documents_name_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        let text = std::fs::read_to_string(root.join(document)).expect(document);
        for quoted in text.split('`').skip(1).step_by(2) {
            let is_path = quoted.contains('/')
                && !quoted.contains([' ', ':', '(', '<', '='])
                && !quoted.starts_with('/');
            if is_path {
                assert!(
                    root.join(quoted).exists(),
                    "{document} names `{quoted}`, which is not there"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "the documents name paths in backquotes, but only {checked} were found");
}
