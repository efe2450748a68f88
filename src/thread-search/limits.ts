// The numbers of this folder: unit in the name, then reason and source.

/** What is shown around a word that was found: a line or two. */
export const EXCERPT_BEFORE_CHARS = 60
export const EXCERPT_AFTER_CHARS = 120
/** Letters from which on a word may be the beginning of another: fewer are in almost every text. */
export const THREAD_PREFIX_MIN = 3
/** Microseconds per character, at worst, to find a match. */
export const EXCERPT_UNITS_PER_CHAR = 1
/**
 * Different words of one text that are indexed, the first: more than a page of text has (a page of English has some 250). Each
 * takes 5 µs of an object that serves the whole workspace; without a bound a page of odd words takes 1,400.
 */
export const THREAD_TERMS_INDEXED = 300
/** Words of a question that count, the first: each has its list of texts read, 50 ns a text. */
export const THREAD_QUERY_TERMS = 8
/**
 * What a word of a text takes in the index in addition to its own bytes: two to three were measured of words that occur
 * once.
 */
export const INDEX_BYTES_PER_WORD = 4
