// The numbers of this folder: unit in the name, then reason and source.

/** Telling words of one skill's body, and of them those of its headings: they travel in each index. */
export const SEARCH_TERMS_BYTES = 320
export const SEARCH_HEADING_BYTES = 100
/** The beginning of a body that they are taken from: nine of ten real ones are shorter than 20 KB. */
export const SEARCH_BODY_CHARS = 32_768
/** A longer word is a key or a number, not one that somebody asks for. */
export const SEARCH_WORD_MAX_CHARS = 24
/** Of a run of letters, digits and the signs of base64 that is so long nothing is kept where a part of it looks like a key. */
export const SEARCH_TOKEN_RUN_CHARS = 16
/** Distinct words of a query that are looked for: a task in a sentence or two. */
export const SEARCH_TERMS_MAX = 32
/**
 * How far a text may grow when its letters are made plain: `…` is three characters then, `ﷺ` eighteen. Honest texts grow
 * by less than a tenth; the slack is for a name of a few such letters.
 */
export const SEARCH_FOLD_GROWTH = 2
export const SEARCH_FOLD_SLACK_CHARS = 64
/** Reasons shown for one answer. */
export const MATCH_REASONS_MAX = 8
/** Stems an isolate remembers: an index of 10,000 skills has some 40,000 distinct words. */
export const SEARCH_STEMS_KEPT = 100_000
