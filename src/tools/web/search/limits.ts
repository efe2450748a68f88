// The limits of this folder: unit in the name, then reason and source.

/**
 * Of a result: a headline, and two or three sentences. Twenty results, with their addresses, stay under 5,000 tokens.
 */
export const SEARCH_TITLE_MAX_CHARS = 200
export const SEARCH_SNIPPET_MAX_CHARS = 600
/** An answer of 20 results has 100 KB; SearXNG returns all that it found. */
export const SEARCH_ANSWER_MAX_BYTES = 2_097_152
