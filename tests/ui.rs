//! What is not differentiated is refused, at the user's own tokens.

#[test]
fn refusals() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
