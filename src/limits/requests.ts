// Limits of API requests that several folders share. Each name contains the unit; comments give the reason and the
// source.

/** Levels of nesting in JSON. JSON.stringify and zod overflow far above this; real bodies have far fewer. */
export const JSON_MAX_DEPTH = 32
/** Bytes of one user message. As JSON, it fits into a row of Durable Object SQLite, which may have 2 MB. */
export const MESSAGE_MAX_BYTES = 262_144
/** How long a repeated request finds its first run, as the contract promises. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000
/** Bytes of a thread's metadata as JSON. The workspace stores it for each thread and includes it in lists. */
export const METADATA_MAX_BYTES = 4_096
/** Characters of a key in metadata and context, which is a name. */
export const PAIR_KEY_MAX_CHARS = 64
/** Characters of the name of a tool or group: the model API's limit for tool names. */
export const TOOL_NAME_MAX = 64
/** Characters of a note on a key or a published version. Notes appear in lists. */
export const PUBLISH_NOTE_MAX_CHARS = 2_000
/** Characters of a model's name. The longest known ones have fewer than 64. */
export const MODEL_NAME_MAX_CHARS = 128
/** Fields named in one error. If more are invalid, the client can fix these first. */
export const FIELD_ERRORS_MAX = 20
/**
 * Findings listed when skills are refused, so that publishers can fix all of them. One skill has fewer than 350 (100
 * KB).
 */
export const REFUSAL_FINDINGS_MAX = 500
/** Keys that exceeded their rate limit and that one isolate remembers. */
export const RATE_BLOCKED_KEYS = 10_000
/** Entries on one page of a list. The response has a few hundred KB. */
export const PAGE_MAX = 100
/** Bytes of a webhook delivery: the same limit as for a JSON request. */
export const WEBHOOK_BODY_MAX_BYTES = 1_048_576
/** First pause before reconnecting, which is doubled each time. A restart takes about a second. */
export const CLIENT_RETRY_MS = 250
