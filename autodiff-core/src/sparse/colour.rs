//! Colourings: columns of one colour are had by one sweep.
//!
//! Both are greedy: each vertex takes the first colour that is free. Source: Gebremedhin, Manne, Pothen, "What color is
//! your Jacobian? Graph coloring for computing derivatives" (2005).

use alloc::vec;
use alloc::vec::Vec;

use nalgebra_sparse::pattern::SparsityPattern;

/// A colour for each component of the seeds, and where each entry of the matrix is read.
#[derive(Clone, Debug)]
pub(super) struct Colouring {
    pub(super) of: Vec<usize>,
    pub(super) colours: usize,
    /// For each entry of the pattern, row by row: the component of a sweep's result, and the colour of the sweep.
    pub(super) entries: Vec<(usize, usize)>,
}

/// Not coloured yet.
const NONE: usize = usize::MAX;

impl Colouring {
    /// No two columns of one colour have an entry in the same row.
    pub(super) fn of_columns(pattern: &SparsityPattern) -> Self {
        let (of, colours) = lanes(&pattern.transpose(), pattern);
        let entries = pattern.entries().map(|(row, column)| (row, of[column])).collect();
        Colouring { of, colours, entries }
    }

    /// No two rows of one colour have an entry in the same column.
    pub(super) fn of_rows(pattern: &SparsityPattern) -> Self {
        let (of, colours) = lanes(pattern, &pattern.transpose());
        let entries = pattern.entries().map(|(row, column)| (column, of[row])).collect();
        Colouring { of, colours, entries }
    }

    /// A star colouring: neighbours differ, and so does something on each path of four vertices. Then of two symmetric
    /// entries one at least is alone in its sum.
    pub(super) fn of_symmetric(pattern: &SparsityPattern) -> Self {
        let mut of = vec![NONE; pattern.major_dim()];
        let mut greedy = Greedy::default();
        for vertex in most_entries_first(pattern) {
            for &near in pattern.lane(vertex).iter().filter(|&&near| near != vertex) {
                greedy.forbid(of[near], vertex);
                for &far in pattern.lane(near).iter().filter(|&&far| far != vertex && of[far] != NONE) {
                    if of[near] == NONE || twice(pattern, &of, far, of[near]) {
                        greedy.forbid(of[far], vertex);
                    }
                }
            }
            of[vertex] = greedy.first(vertex);
        }
        let entries = pattern.entries().map(|(row, column)| {
            let alone = pattern.lane(row).iter().filter(|&&other| of[other] == of[column]).count() == 1;
            if alone { (row, of[column]) } else { (column, of[row]) }
        });
        Colouring { colours: greedy.colours, entries: entries.collect(), of }
    }
}

/// Colours for the lanes of a pattern, those of one colour without a common entry in `across`, its transpose.
fn lanes(lanes: &SparsityPattern, across: &SparsityPattern) -> (Vec<usize>, usize) {
    let mut of = vec![NONE; lanes.major_dim()];
    let mut greedy = Greedy::default();
    for lane in most_entries_first(lanes) {
        for &cross in lanes.lane(lane) {
            across.lane(cross).iter().for_each(|&other| greedy.forbid(of[other], lane));
        }
        of[lane] = greedy.first(lane);
    }
    (of, greedy.colours)
}

/// Whether more than one neighbour of `vertex` has this colour.
fn twice(pattern: &SparsityPattern, of: &[usize], vertex: usize, colour: usize) -> bool {
    pattern.lane(vertex).iter().filter(|&&near| near != vertex && of[near] == colour).count() > 1
}

fn most_entries_first(pattern: &SparsityPattern) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pattern.major_dim()).collect();
    order.sort_by_key(|&lane| core::cmp::Reverse(pattern.lane(lane).len()));
    order
}

/// The colours that exist.
#[derive(Default)]
struct Greedy {
    colours: usize,
    /// By colour, the last vertex that could not have it.
    forbidden: Vec<usize>,
}

impl Greedy {
    fn forbid(&mut self, colour: usize, vertex: usize) {
        if colour != NONE {
            self.forbidden[colour] = vertex;
        }
    }

    /// The first colour that is not forbidden.
    fn first(&mut self, vertex: usize) -> usize {
        let free = self.forbidden.iter().position(|&last| last != vertex);
        free.unwrap_or_else(|| {
            self.forbidden.push(NONE);
            self.colours += 1;
            self.colours - 1
        })
    }
}
