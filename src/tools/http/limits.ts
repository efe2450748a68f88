// Limits of HTTP tools. A name without a unit is a count.

/** Size of a definition without its input schema, as JSON. The largest bodies in public API descriptions lead to 50 KB. */
export const HTTP_TOOL_MAX_BYTES = 65_536
/** Length of a description, about one page. The model reads it in every request; longer instructions belong in a skill. */
export const HTTP_TOOL_DESCRIPTION_MAX_CHARS = 4_000
/** Default and maximum timeout of a call, during which a user waits and the platform keeps a request open. */
export const HTTP_TOOL_TIMEOUT_DEFAULT_S = 30
export const HTTP_TOOL_TIMEOUT_MAX_S = 120
/**
 * The largest value that a definition may set for `max_chars`. A result that is too long for the model is stored as a
 * file.
 */
export const HTTP_TOOL_ANSWER_MAX_CHARS = 1_000_000
/** How much of a response is read. It is in memory three times: as bytes, as text and as JSON. */
export const HTTP_TOOL_ANSWER_MAX_BYTES = 2_097_152
/** How much of an error response is shown; servers give the reason at its beginning. */
export const HTTP_TOOL_ERROR_BODY_MAX_CHARS = 4_000
/** How much of a header is shown. */
export const HTTP_TOOL_HEADER_MAX_CHARS = 1_000
/** Maximum number of redirects of a `read` call within its origin; two are common. */
export const HTTP_TOOL_REDIRECTS_MAX = 3
/** Length of a complete URL; servers and the platform accept 8 to 16 KB. */
export const HTTP_TOOL_SENT_URL_MAX_CHARS = 8_000
/** Difference between the timeout of a call and the shorter timeout of its request, so that the request's error is reported. */
export const HTTP_TOOL_GRACE_MS = 5_000
/** Length of the model's input as JSON. */
export const HTTP_TOOL_INPUT_MAX_CHARS = 262_144
/**
 * How often a check of an input may apply a schema to a value, which takes about a microsecond each time. The largest
 * legitimate inputs need a tenth of this.
 */
export const HTTP_TOOL_CHECK_STEPS_MAX = 500_000
/** Maximum cost of all patterns in one check, in computed microseconds. */
export const HTTP_TOOL_PATTERN_COST_MAX_US = 200_000
/** How many errors of an invalid input are shown to the model. */
export const HTTP_TOOL_FAULTS_SHOWN_MAX = 8
