//! Where a product with a cotangent must be a strong one: 0 for a zero factor, whatever the other is.

/// What may be the matter with a cotangent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Taint {
    /// Exactly zero where a branch was not taken or another operand was selected.
    pub conditional: bool,
    /// A component of a larger cotangent, of which others may be the only ones that matter; or a product with
    /// a slope that can vanish or overflow.
    pub element: bool,
    /// May be infinite although the value was finite: it came out of a singular rule.
    pub infinite: bool,
}

impl Taint {
    /// What comes of both.
    pub fn and(self, other: Taint) -> Taint {
        Taint {
            conditional: self.conditional || other.conditional,
            element: self.element || other.element,
            infinite: self.infinite || other.infinite,
        }
    }

    /// The same, and a component of something.
    pub fn component(self) -> Taint {
        Taint { element: true, ..self }
    }

    /// Whether plain products with it must be strong.
    pub fn product(self) -> bool {
        self.conditional || self.infinite
    }

    /// Whether products with slopes that can be infinite must be strong.
    pub fn slope(self) -> bool {
        self.conditional || self.infinite || self.element
    }
}
