// The limits of this folder: unit in the name, then reason and source.

/** Number of characters shown before and after a match: a line or two. */
export const EXCERPT_BEFORE_CHARS = 60
export const EXCERPT_AFTER_CHARS = 120
/**
 * Minimum length of a word that also matches longer words starting with it: shorter ones would match almost
 * every text.
 */
export const PREFIX_MIN_CHARS = 3
/** Microseconds per character, in the worst case, to find a match. */
export const EXCERPT_UNITS_PER_CHAR = 1
/**
 * Maximum number of different words that are indexed per text; later ones are ignored. It is more than a page
 * of text has (a page of English has about 250). Each word takes 5 µs of an object that serves the whole
 * workspace; without this limit, an unusual page could have 1,400 words.
 */
export const THREAD_TERMS_INDEXED = 300
/**
 * Maximum number of words of a query that are used; later ones are ignored. For each word its list of texts
 * is read, at 50 ns per text.
 */
export const THREAD_QUERY_TERMS = 8
/**
 * What each word of a text takes in the index in addition to the word itself: two to three bytes were
 * measured for words that occur once.
 */
export const INDEX_BYTES_PER_WORD = 4
