// Limits of API requests that several folders share. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum nesting depth of JSON. JSON.stringify and zod overflow only far above it, and real bodies are far below it. */
export const JSON_MAX_DEPTH = 32
/** Maximum size of one user message. As JSON, it fits into a row of Durable Object SQLite, which may have 2 MB. */
export const MESSAGE_MAX_BYTES = 262_144
/** How long a request with the same idempotency key returns the first run, as the contract promises. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000
/** Maximum size of a thread's metadata as JSON. The workspace stores it for each thread and includes it in lists. */
export const METADATA_MAX_BYTES = 4_096
/** Maximum length of a key in metadata and context. Keys are short names. */
export const PAIR_KEY_MAX_CHARS = 64
/** Maximum length of the name of a tool or group: the model API's limit for tool names. */
export const TOOL_NAME_MAX_CHARS = 64
/** Maximum length of a note on a key or a published version. Notes appear in lists. */
export const PUBLISH_NOTE_MAX_CHARS = 2_000
/** Maximum length of a model's name. All known names have fewer than 64 characters. */
export const MODEL_NAME_MAX_CHARS = 128
/** Maximum number of invalid fields listed in one error. If there are more, the client can fix these first. */
export const FIELD_ERRORS_MAX = 20
/** Maximum number of findings listed when skills are refused. One skill has fewer than 350 (100 KB), so all are listed. */
export const REFUSAL_FINDINGS_MAX = 500
/** Maximum number of keys that an isolate remembers because they exceeded their rate limit. */
export const RATE_BLOCKED_KEYS_MAX = 10_000
/** Maximum number of entries on one page of a list. The response then has a few hundred KB. */
export const PAGE_SIZE_MAX = 100
/** Maximum number of skills on one page: the index is in memory, and each has about 700 bytes. 5,000 skills are then few requests. */
export const SKILLS_PAGE_SIZE_MAX = 1_000
/** Maximum size of a webhook delivery: the same limit as for a JSON request. */
export const WEBHOOK_BODY_MAX_BYTES = 1_048_576
/** First pause before reconnecting. It doubles with each attempt. A restart takes about a second. */
export const CLIENT_RETRY_FIRST_MS = 250
