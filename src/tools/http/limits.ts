// The limits of this folder: unit in the name, then reason and source.

/** A definition as JSON: with the largest body in public API descriptions it has about 50 KB. */
export const HTTP_TOOL_MAX_BYTES = 65_536
/** The model reads it in each request: a page. Longer instructions belong in a skill. */
export const HTTP_TOOL_DESCRIPTION_MAX_CHARS = 4_000
/** Default and maximum of a definition's timeout: a person waits, and the platform keeps a request open. */
export const HTTP_TOOL_TIMEOUT_S = 30
export const HTTP_TOOL_TIMEOUT_MAX_S = 120
/**
 * The maximum number of characters of a response that a definition may allow; more than a model reads at once, so it
 * goes to a file.
 */
export const HTTP_TOOL_ANSWER_MAX_CHARS = 1_000_000
/** Bytes read of a response, which is in memory three times: as bytes, text and JSON. */
export const HTTP_TOOL_ANSWER_MAX_BYTES = 2_097_152
/** Characters shown of an error answer: servers give the reason at the beginning. */
export const HTTP_TOOL_REFUSAL_CHARS = 4_000
/** Characters shown of a header. */
export const HTTP_TOOL_HEADER_SHOWN_CHARS = 1_000
/** Redirects of a `read` call within its host: `http` and then the canonical path need two. */
export const HTTP_TOOL_REDIRECTS = 3
/** Characters of a complete URL: servers and the platform accept 8 to 16 KB. */
export const HTTP_TOOL_SENT_URL_MAX_CHARS = 8_000
/** How long the fetch's own timeout precedes the caller's, so that its error is reported first. */
export const HTTP_TOOL_GRACE_MS = 5_000
/** A model's input as JSON text, which is checked and sent as a whole. */
export const HTTP_TOOL_INPUT_MAX_CHARS = 262_144
/**
 * Schemas applied to values in one check, about a microsecond each: ten for each value of the largest honest inputs.
 */
export const HTTP_TOOL_CHECK_STEPS = 500_000
/** Counted microseconds that all patterns of one check may take. */
export const HTTP_TOOL_PATTERN_COST = 200_000
/** Errors of an invalid input that a model gets at once; it gets the others after it fixed these. */
export const HTTP_TOOL_FAULTS_SHOWN = 8
