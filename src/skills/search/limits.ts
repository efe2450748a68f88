// Limits of this folder. Names end in the unit; a name without a unit is a count. Comments give the reason and the source.

/** Bytes of one skill's search terms, and how many of these the headings may use. They are in each index. */
export const SEARCH_TERMS_MAX_BYTES = 320
export const SEARCH_HEADING_MAX_BYTES = 100
/** Characters at the start of a body that are searched for terms. 90% of real bodies are shorter than 20 KB. */
export const SEARCH_BODY_MAX_CHARS = 32_768
/** Characters of a word. Longer ones are keys or numbers, which nobody searches for. */
export const SEARCH_WORD_MAX_CHARS = 24
/**
 * A run of letters, digits and base64 characters of at least this length is dropped completely if a part of it looks
 * like a key.
 */
export const SEARCH_TOKEN_RUN_MIN_CHARS = 16
/** Distinct terms of a query that are used: enough for a task described in a sentence or two. */
export const SEARCH_TERMS_MAX = 32
/**
 * A folded text is cut at SEARCH_FOLD_GROWTH times its length plus SEARCH_FOLD_SLACK_CHARS. Folding turns `…` into
 * three characters and `ﷺ` into eighteen. Real texts grow by less than a tenth; the slack allows names with a few
 * such characters.
 */
export const SEARCH_FOLD_GROWTH = 2
export const SEARCH_FOLD_SLACK_CHARS = 64
/** Reasons given for one match. */
export const MATCH_REASONS_MAX = 8
/** Stems that an isolate caches: an index of 10,000 skills has about 40,000 distinct words. */
export const SEARCH_CACHED_WORDS_MAX = 100_000
