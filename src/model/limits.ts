// The limits of this folder. Each name contains the unit; comments give the reason and the source.

/** Silence after which a stream is aborted and retried. The API sends pings much more often. */
export const MODEL_IDLE_MS = 60_000
/** Bytes of text and tool input in one model message. If there are more, the call fails. */
export const MODEL_MESSAGE_MAX_BYTES = 8_388_608
/** Characters of the API's error message that are quoted: a sentence or two, but no page of HTML. */
export const MODEL_FAULT_MAX_CHARS = 300
/** Time to read the body to its end after the last event, so that the connection can be reused. */
export const MODEL_DRAIN_MS = 1_000
/**
 * The demo model's context window. It has an ordinary size, so that its list of skills is as long as a real model's.
 */
export const CONTEXT_TOKENS = 200_000
/** Maximum valid number of tokens of one kind in one call. The largest context windows have a million. */
export const MODEL_USAGE_MAX_TOKENS = 100_000_000
/** Bytes of one event in the stream. Real events have less than 100 KB; the largest contain search results. */
export const MODEL_EVENT_MAX_BYTES = 4_194_304
/** Bytes of the stream of one response. 128,000 tokens, each in a separate event, take less than 20 MB. */
export const MODEL_ANSWER_MAX_BYTES = 67_108_864
/** Bytes of an error's body that are read. The API's own errors have less than 1 KB. */
export const MODEL_ERROR_MAX_BYTES = 65_536
/** Content blocks in one message, each of which may be a tool call and take a row. Ten times the calls that are run. */
export const MODEL_MESSAGE_MAX_BLOCKS = 512
/** Characters of the name or ID of a tool call. The API's IDs have fewer than 40, and its names at most 128. */
export const MODEL_CALL_NAME_MAX_CHARS = 256
/** Characters of a stop reason or category that are stored with a message. Both are single words. */
export const MODEL_WORD_MAX_CHARS = 100
