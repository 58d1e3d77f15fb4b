//! Where a product with a cotangent must be a strong one: 0 for a zero factor, whatever the other is.

use crate::ir::Strong;

/// What may be the matter with a cotangent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Taint {
    /// Exactly zero where a branch was not taken or another operand was selected.
    pub conditional: bool,
    /// A component of a larger cotangent, of which others may be the only ones that matter; or a product with
    /// a slope that can vanish or overflow.
    pub element: bool,
    /// May be infinite although the value was finite, but only where the value was zero: it came out of a root.
    pub infinite_at_zero: bool,
    /// May be infinite although the value was finite: it came out of another singular rule.
    pub infinite: bool,
}

impl Taint {
    /// What comes of both.
    pub fn and(self, other: Taint) -> Taint {
        Taint {
            conditional: self.conditional || other.conditional,
            element: self.element || other.element,
            infinite_at_zero: self.infinite_at_zero || other.infinite_at_zero,
            infinite: self.infinite || other.infinite,
        }
    }

    /// The same, and a component of something.
    pub fn component(self) -> Taint {
        Taint { element: true, ..self }
    }

    /// The taint of what is zero in other places.
    pub fn elsewhere(self) -> Taint {
        Taint { infinite: self.infinite || self.infinite_at_zero, infinite_at_zero: false, ..self }
    }

    /// The taint of a factor of a strong product: the other can be zero or infinite.
    pub fn of_strong() -> Taint {
        Taint { conditional: true, element: true, infinite: true, infinite_at_zero: false }
    }

    /// The taint of what never is infinite only because the value was zero.
    pub fn without_zero(self) -> Taint {
        Taint { infinite_at_zero: false, ..self }
    }

    /// How its products with finite factors must be taken.
    pub fn product(self) -> Option<Strong> {
        Strong::of(self.conditional, self.infinite || self.infinite_at_zero)
    }

    /// How its products with slopes that can be infinite must be taken.
    pub fn slope(self) -> Option<Strong> {
        Strong::of(true, self.infinite || self.infinite_at_zero)
    }

    /// Whether its quotients must be strong.
    pub fn quotient(self) -> bool {
        self.conditional || self.element
    }
}
