// The numbers of this folder: unit in the name, then reason and source.

/** A stream that is silent this long is cut and tried again; the API pings far more often. */
export const MODEL_IDLE_MS = 60_000
/** Text and tool input of one model message; beyond it the call fails cleanly. */
export const MODEL_MESSAGE_MAX_BYTES = 8_388_608
/** What a fault quotes of the API's own words: a sentence or two, not a page of HTML. */
export const MODEL_FAULT_MAX_CHARS = 300
/** After the last event the body is read to its end, so that the connection can be used again; a moment is enough. */
export const MODEL_DRAIN_MS = 1_000
/** Window of the demo model: an ordinary one, so that its index is as long as a real model's. */
export const CONTEXT_TOKENS = 200_000
/** One call's tokens of one kind; the largest windows hold a million. More is no count that could be charged. */
export const MODEL_USAGE_MAX_TOKENS = 100_000_000
/** An event of the stream, and so a line; real ones have under 100 KB, search results in one block the most. */
export const MODEL_EVENT_MAX_BYTES = 4_194_304
/** The whole stream of one answer: 128,000 tokens, each in an event of its own, are under 20 MB. */
export const MODEL_ANSWER_MAX_BYTES = 67_108_864
/** The body of an error; the API's own have under 1 KB. The rest is not read. */
export const MODEL_ERROR_MAX_BYTES = 65_536
/** Content blocks of one message, of which each call is a row: ten times the calls that are made of it. */
export const MODEL_MESSAGE_MAX_BLOCKS = 512
/** Name and id of a tool call: they stand in rows and events. The API's own have under 40, and a name 128 at most. */
export const MODEL_CALL_NAME_MAX_CHARS = 256
/** Words of the API that are kept with a message (stop reason, category): names, not texts. */
export const MODEL_WORD_MAX_CHARS = 100
