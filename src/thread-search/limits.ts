// The numbers of this folder: unit in the name, then reason and source.

/** What is shown around a word that was found: a line or two. */
export const EXCERPT_BEFORE_CHARS = 60
export const EXCERPT_AFTER_CHARS = 120
/** Letters from which on a word may be the beginning of another: fewer begin so many that all of the index is read. */
export const THREAD_PREFIX_MIN = 3
/** Microseconds that looking for the place takes a character, at worst: what the pace counts. */
export const EXCERPT_UNITS_PER_CHAR = 1
