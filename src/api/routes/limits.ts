// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum length of a key's note, which appears in lists. */
export const KEY_NOTE_MAX_CHARS = 500
/** Maximum number of models of a key: as many as a deployment may have. */
export const KEY_MODELS_MAX = 100
/** How long the old secret stays valid after a rotation: a day by default, at most a week, as for hooks. */
export const KEY_OVERLAP_DEFAULT_S = 86_400
export const KEY_OVERLAP_MAX_S = 604_800
/** How long JSON mode waits before it returns 202, as documented in docs/api/chat.md. Proxies drop silent responses after about five minutes. */
export const JSON_WAIT_MAX_MS = 280_000
/** Maximum number of threads that are woken concurrently after a restart of a local server. Each reads its rows and calls the model. */
export const WAKE_CONCURRENCY = 16
/** Maximum number of changed Thread objects that one wake request may list. */
export const WAKE_OBJECTS_MAX = 1_000
/** Maximum length of a thread search, which a person types into a search field. */
export const THREAD_SEARCH_MAX_CHARS = 200
/** Maximum length of a note on a rating: a paragraph. */
export const RATING_NOTE_MAX_CHARS = 2_000
/** Maximum length of a note on a denial: a paragraph for the model. */
export const APPROVAL_NOTE_MAX_CHARS = 2_000
/**
 * Maximum numbers of skills and files in one commit. With two reads and two writes per skill and one read per file, a commit needs fewer than
 * 10,000 subrequests.
 */
export const COMMIT_SKILLS_MAX = 500
export const COMMIT_FILES_MAX = 5_000
/**
 * Maximum size of an import request: OPENAPI_MAX_BYTES (src/tools/http/openapi/limits.ts) plus a quarter, which is what quoting a
 * typical document as a JSON string adds.
 */
export const TOOL_IMPORT_BODY_MAX_BYTES = 20_971_520
/** Maximum number of skills in one search result. */
export const MATCH_RESULTS_MAX = 20
/**
 * The queue for the public list of shared skills, which is created for each request. A network counts as a key here.
 * Clients give up after about ten seconds.
 */
export const SHARE_QUEUE = {
  concurrency: 1,
  waitingMax: 128,
  requestsMaxPerKey: 32,
  waitMaxMs: 5_000,
  slotIdleMaxMs: 30_000,
}
/**
 * How long an isolate refuses deliveries of a removed hook from memory, without reading their bodies. The id of a
 * removed hook is never used again.
 */
export const REMOVED_HOOK_CACHE_MS = 10 * 60_000
/** Maximum length of a secret's host: a DNS name with a port. */
export const SECRET_HOST_MAX_CHARS = 260
/** Maximum length of what a person asks to keep in a summary: a paragraph. */
export const COMPACT_ABOUT_MAX_CHARS = 1_000
/** Maximum length of a search for deliveries, which a person types or pastes. */
export const LOG_SEARCH_MAX_CHARS = 255
/** Maximum length of a header that a test adds. */
export const TEST_HEADER_MAX_CHARS = 512
