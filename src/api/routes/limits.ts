// Limits of this folder: unit in the name, then reason and source.

/** Length of the user that a key or hook acts for: an id or e-mail address from the team's own system. */
export const USER_MAX_CHARS = 200
/** Length of a key's note, which appears in lists. */
export const KEY_NOTE_MAX_CHARS = 500
/** How long JSON mode waits before it returns 202, as in the contract. Proxies drop silent responses after about five minutes. */
export const JSON_WAIT_MS = 280_000
/** Number of threads that are woken concurrently after a restart of a local server. Each reads its rows and calls the model. */
export const WAKE_AT_ONCE = 16
/** Number of objects in one request to wake threads. */
export const WAKE_CHANGED_MAX = 1_000
/** Length of a thread search, which a person types into a search field. */
export const THREAD_SEARCH_MAX_CHARS = 200
/** Length of a note on a rating: a paragraph. */
export const RATING_NOTE_MAX_CHARS = 2_000
/** Length of a note on a denial: a paragraph for the model. */
export const APPROVAL_NOTE_MAX_CHARS = 2_000
/**
 * Numbers of skills and files in one commit. With two reads and two writes per skill and one read per file, a commit needs fewer than
 * 10,000 subrequests.
 */
export const COMMIT_SKILLS_MAX = 500
export const COMMIT_FILES_MAX = 5_000
/** Size of an import request. An OpenAPI document of OPENAPI_MAX_BYTES grows by a quarter as a JSON string. */
export const TOOL_IMPORT_BODY_MAX_BYTES = 20_971_520
/** Number of skills in one search result. */
export const MATCH_RESULTS_MAX = 20
/** The queue for creating the public list of shared skills. `each` applies per network. Clients give up after about ten seconds. */
export const SHARE_QUEUE = { width: 1, room: 128, each: 32, timeoutMs: 5_000, heldMs: 30_000 }
/** How long an isolate refuses deliveries of a removed hook without reading them. A removed hook never returns. */
export const HOOK_REMOVED_MS = 10 * 60_000
/** Number of calls that a hook may allow without approval. */
export const HOOK_ALLOWED_CALLS_MAX = 20
/** Number of free fields in an allowed call, the same as in a tool definition. */
export const HOOK_FREE_MAX = 50
/** Length of a secret's host: a DNS name with a port. */
export const SECRET_HOST_MAX_CHARS = 260
