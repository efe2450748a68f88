// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Silence after which a stream is aborted and retried. The API sends pings much more often. */
export const MODEL_SILENCE_MAX_MS = 60_000
/** Maximum size of text and tool input in one model message. If there is more, the call fails. */
export const MODEL_MESSAGE_MAX_BYTES = 8_388_608
/** Length to which a quoted error message of the API is cut: a sentence or two, but not a page of HTML. */
export const MODEL_ERROR_QUOTE_MAX_CHARS = 300
/** Time allowed for reading the end of the body after the last event. A connection can be reused only after that. */
export const MODEL_DRAIN_TIMEOUT_MS = 1_000
/**
 * The demo model's context window. It has an ordinary size, so that its list of skills is as long as a real model's.
 */
export const DEMO_CONTEXT_WINDOW_TOKENS = 200_000
/** Maximum valid number of tokens of one kind in one call. The largest context windows have a million. */
export const MODEL_USAGE_MAX_TOKENS = 100_000_000
/** Maximum size of one event in the stream. Real events have less than 100 KB; the largest contain search results. */
export const MODEL_EVENT_MAX_BYTES = 4_194_304
/** Maximum size of the stream of one response. 128,000 tokens, each in a separate event, take less than 20 MB. */
export const MODEL_RESPONSE_MAX_BYTES = 67_108_864
/** Maximum number of bytes that are read of an error's body. The API's own errors have less than 1 KB. */
export const MODEL_ERROR_MAX_BYTES = 65_536
/**
 * Maximum number of content blocks in one message. Each may be a tool call and take a row. This is ten times
 * the number of calls that are run.
 */
export const MODEL_MESSAGE_MAX_BLOCKS = 512
/** Maximum length of the name or ID of a tool call. The API's IDs have fewer than 40, and its names at most 128. */
export const MODEL_CALL_NAME_MAX_CHARS = 256
/** Length to which a stored stop reason or category is cut. Both are single words. */
export const STOP_REASON_MAX_CHARS = 100
