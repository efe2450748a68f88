// Limits of this folder: unit in the name, then reason and source.

/** A stream silent for this long is aborted and retried; the API pings far more often. */
export const MODEL_IDLE_MS = 60_000
/** Text and tool input of one model message; beyond it the call fails cleanly. */
export const MODEL_MESSAGE_MAX_BYTES = 8_388_608
/** Characters that a fault quotes of the API's message: a sentence or two, not a page of HTML. */
export const MODEL_FAULT_MAX_CHARS = 300
/** Time to read the body to its end after the last event, so that the connection can be reused. */
export const MODEL_DRAIN_MS = 1_000
/** The demo model's context window: an ordinary size, so that its index is as long as a real model's. */
export const CONTEXT_TOKENS = 200_000
/** Tokens of one kind in one call. The largest windows hold a million; more cannot be a valid count. */
export const MODEL_USAGE_MAX_TOKENS = 100_000_000
/** One event of the stream, which is one line. Real ones have under 100 KB; search results in one block are the largest. */
export const MODEL_EVENT_MAX_BYTES = 4_194_304
/** The whole stream of one answer: 128,000 tokens, each in its own event, are under 20 MB. */
export const MODEL_ANSWER_MAX_BYTES = 67_108_864
/** Bytes read of an error body; the API's own have under 1 KB. */
export const MODEL_ERROR_MAX_BYTES = 65_536
/** Content blocks of one message, each call of which is a row: ten times the calls that are run. */
export const MODEL_MESSAGE_MAX_BLOCKS = 512
/** Name and id of a tool call, stored in rows and events. The API's own have under 40, and a name at most 128. */
export const MODEL_CALL_NAME_MAX_CHARS = 256
/** Words of the API stored with a message (stop reason, category): names, not texts. */
export const MODEL_WORD_MAX_CHARS = 100
