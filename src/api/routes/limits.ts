// Limits of this folder: unit in the name, then reason and source.

/** The user a key or hook acts for: an id or address from the team's own system. */
export const USER_MAX_CHARS = 200
/** Notes on keys and versions appear in lists. */
export const KEY_NOTE_MAX_CHARS = 500
/** JSON mode returns 202 after this (contract): proxies drop silent responses after about five minutes. */
export const JSON_WAIT_MS = 280_000
/** Threads woken at once after a restart of a local server: each reads its rows and calls the model. */
export const WAKE_AT_ONCE = 16
/** Threads woken per restart. */
export const WAKE_CHANGED_MAX = 1_000
/** A query typed into a search field. */
export const THREAD_SEARCH_MAX_CHARS = 200
/** A note on a rating: a paragraph. */
export const RATING_NOTE_MAX_CHARS = 2_000
/** A note on a denial: a paragraph for the model. */
export const APPROVAL_NOTE_MAX_CHARS = 2_000
/**
 * Skills in one commit: with two reads and two writes of each skill and one read of each file it stays under 10,000 subrequests.
 */
export const COMMIT_SKILLS_MAX = 500
export const COMMIT_FILES_MAX = 5_000
/** An OpenAPI document of OPENAPI_MAX_BYTES grows by a quarter as a JSON string. */
export const TOOL_IMPORT_BODY_MAX_BYTES = 20_971_520
/** Skills in one result. */
export const MATCH_RESULTS_MAX = 20
/** Creating the public list of shared skills; clients give up after about ten seconds. `each`: per network. */
export const SHARE_QUEUE = { width: 1, room: 128, each: 32, timeoutMs: 5_000, heldMs: 30_000 }
/** How long an isolate refuses deliveries of a removed hook without reading them. A removed hook never returns. */
export const HOOK_REMOVED_MS = 10 * 60_000
/** Calls that runs of one hook may make without approval. */
export const HOOK_ALLOWED_CALLS_MAX = 20
/** Free fields of such a call: as many as a tool definition may list. */
export const HOOK_FREE_MAX = 50
/** Characters of the host of a secret: a DNS name with a port. */
export const SECRET_HOST_MAX_CHARS = 260
