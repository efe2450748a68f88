// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/** Number of characters shown before and after a match: a line or two. */
export const EXCERPT_BEFORE_MAX_CHARS = 60
export const EXCERPT_AFTER_MAX_CHARS = 120
/**
 * Minimum length of a word that also matches longer words starting with it: shorter ones would match almost
 * every text.
 */
export const PREFIX_MIN_CHARS = 3
/** Microseconds per character, in the worst case, to find a match. */
export const EXCERPT_MICROSECONDS_PER_CHAR = 1
/**
 * Maximum number of different words that are indexed per text; later ones are ignored. It is more than a page
 * of text has (a page of English has about 250). Each word takes 5 µs of an object that serves the whole
 * workspace; without this limit, an unusual page could have 1,400 words.
 */
export const INDEXED_TERMS_MAX = 300
/**
 * Maximum number of words of a query that are used; later ones are ignored. For each word its list of texts
 * is read, at 50 ns per text.
 */
export const QUERY_TERMS_MAX = 8
/**
 * What each word of a text takes in the index in addition to the word itself: two to three bytes were
 * measured for words that occur once.
 */
export const INDEX_BYTES_PER_WORD = 4
