// Limits of API requests that several folders share: unit in the name, then reason and source.

/** JSON.stringify and zod overflow far above this; real bodies are far below. */
export const JSON_MAX_DEPTH = 32
/** One user message; encoded as JSON it stays under the 2 MB row limit of Durable Object SQLite. */
export const MESSAGE_MAX_BYTES = 262_144
/** Contract: how long a repeated request finds its first run. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000
/** A thread's metadata as JSON: the workspace stores it for each thread and lists pages of them. */
export const METADATA_MAX_BYTES = 4_096
/** Keys of metadata and context: names, not texts. */
export const PAIR_KEY_MAX_CHARS = 64
/** Names of tools and groups: the model API's limit on a tool's name. */
export const TOOL_NAME_MAX = 64
/** Notes on keys and published versions appear in lists. */
export const PUBLISH_NOTE_MAX_CHARS = 2_000
/** A model's name; the longest known have under 64. */
export const MODEL_NAME_MAX_CHARS = 128
/** Fields named in one refusal. With more errors, fix these first. */
export const FIELD_ERRORS_MAX = 20
/** Findings named in one refusal of skills: a publisher wants all at once. One skill has under 350, in about 100 KB. */
export const REFUSAL_FINDINGS_MAX = 500
/** Keys over their limit that one isolate remembers. */
export const RATE_BLOCKED_KEYS = 10_000
/** Entries on one page of a list: an answer of some hundred KB. */
export const PAGE_MAX = 100
/** Bytes of a delivery: as of a JSON request. */
export const WEBHOOK_BODY_MAX_BYTES = 1_048_576
/** First pause before reconnecting, doubled each time: a restart takes about a second. */
export const CLIENT_RETRY_MS = 250
