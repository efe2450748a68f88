// The numbers of this folder: unit in the name, then reason and source.

/** Bytes of search terms from one skill's body, and from its headings. They are in each index. */
export const SEARCH_TERMS_BYTES = 320
export const SEARCH_HEADING_BYTES = 100
/** Characters at the start of a body from which terms are taken. Nine of ten real bodies are shorter than 20 KB. */
export const SEARCH_BODY_CHARS = 32_768
/** Characters of a word. Longer ones are keys or numbers, which nobody searches for. */
export const SEARCH_WORD_MAX_CHARS = 24
/**
 * Length of a run of letters, digits and base64 characters from which the whole run is dropped when a part of it looks
 * like a key.
 */
export const SEARCH_TOKEN_RUN_CHARS = 16
/** Distinct terms of a query: a task in a sentence or two. */
export const SEARCH_TERMS_MAX = 32
/**
 * How much a text may grow when it is folded: `…` becomes three characters, `ﷺ` eighteen. Real texts grow by less than
 * a tenth; the limit allows a name of a few such letters.
 */
export const SEARCH_FOLD_GROWTH = 2
export const SEARCH_FOLD_SLACK_CHARS = 64
/** Reasons in one answer. */
export const MATCH_REASONS_MAX = 8
/** Stems that an isolate caches: an index of 10,000 skills has about 40,000 distinct words. */
export const SEARCH_STEMS_KEPT = 100_000
