//! Save areas: what the iterations of a loop leave for the reverse sweep, one record each.
//!
//! Records are pushed in forward order and read backwards. How many there can be decides the kind:
//! [`Inline`] and [`Slots`] live on the stack, [`Heap`] grows.

/// At most `N` records of plain data.
///
/// ```
/// use autodiff_core::save::Inline;
///
/// let mut area = Inline::<_, 3>::new(0.0);
/// area.push(1.0);
/// area.push(2.0);
/// assert_eq!(area.records(0..area.len()).rev().collect::<Vec<_>>(), [&2.0, &1.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Inline<T, const N: usize> {
    records: [T; N],
    len: usize,
}

impl<T: Copy, const N: usize> Inline<T, N> {
    /// No records; `filler` takes their place until they come.
    #[inline]
    #[must_use]
    pub fn new(filler: T) -> Self {
        Inline { records: [filler; N], len: 0 }
    }

    /// Appends a record.
    ///
    /// # Panics
    /// Where there are `N` already.
    #[inline]
    pub fn push(&mut self, record: T) {
        self.records[self.len] = record;
        self.len += 1;
    }

    /// The number of records.
    #[inline]
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The records of a range of positions, in forward order.
    ///
    /// # Panics
    /// Where the range ends after position `N`.
    #[inline]
    pub fn records(&self, range: core::ops::Range<usize>) -> core::slice::Iter<'_, T> {
        self.records[range].iter()
    }
}

/// At most `N` records of any type.
#[derive(Clone, Debug)]
pub struct Slots<T, const N: usize> {
    records: [Option<T>; N],
    len: usize,
}

impl<T, const N: usize> Slots<T, N> {
    /// No records.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Slots { records: [const { None }; N], len: 0 }
    }

    /// Appends a record.
    ///
    /// # Panics
    /// Where there are `N` already.
    #[inline]
    pub fn push(&mut self, record: T) {
        self.records[self.len] = Some(record);
        self.len += 1;
    }

    /// The number of records.
    #[inline]
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The records of a range of positions, in forward order.
    ///
    /// # Panics
    /// Where the range ends after position `N`, and in the iterator where it ends after the last record.
    #[inline]
    pub fn records(&self, range: core::ops::Range<usize>) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.records[range].iter().map(|record| record.as_ref().expect("only positions of records are read"))
    }
}

impl<T, const N: usize> Default for Slots<T, N> {
    fn default() -> Self {
        Slots::new()
    }
}

/// What a recursive function keeps of the call of itself: its type would contain itself otherwise.
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use alloc::{boxed::Box, vec::Vec};

/// Any number of records.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct Heap<T> {
    records: alloc::vec::Vec<T>,
}

#[cfg(feature = "alloc")]
impl<T> Heap<T> {
    /// No records.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Heap { records: alloc::vec::Vec::new() }
    }

    /// Makes room for `count` more records.
    #[inline]
    pub fn reserve(&mut self, count: usize) {
        self.records.reserve(count);
    }

    /// Appends a record.
    #[inline]
    pub fn push(&mut self, record: T) {
        self.records.push(record);
    }

    /// The number of records.
    #[inline]
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The records of a range of positions, in forward order.
    ///
    /// # Panics
    /// Where the range ends after the last record.
    #[inline]
    pub fn records(&self, range: core::ops::Range<usize>) -> core::slice::Iter<'_, T> {
        self.records[range].iter()
    }
}

#[cfg(feature = "alloc")]
impl<T> Default for Heap<T> {
    fn default() -> Self {
        Heap::new()
    }
}
