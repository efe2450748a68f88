// Limits of the responses of search engines.

/**
 * Length of a result's title, and of its text: a headline, and two or three sentences. Twenty results with their
 * addresses stay under 5,000 tokens.
 */
export const SEARCH_TITLE_MAX_CHARS = 200
export const SEARCH_SNIPPET_MAX_CHARS = 600
/** Size of one response. Twenty results take 100 KB, but SearXNG always returns everything it found. */
export const SEARCH_ANSWER_MAX_BYTES = 2_097_152
