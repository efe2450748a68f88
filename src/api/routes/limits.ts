// The numbers of this folder: unit in the name, then reason and source.

/** The user a key or a hook acts for: an id or an address of the team's own system. */
export const USER_MAX_CHARS = 200
/** Notes on keys and on published versions are read in lists. */
export const KEY_NOTE_MAX_CHARS = 500
/** JSON mode answers 202 past this (contract); edges drop silent responses after about five minutes. */
export const JSON_WAIT_MS = 280_000
/** Threads woken at once after a restart of a local server: each of them reads its rows and calls the model. */
export const WAKE_AT_ONCE = 16
/** Threads that one start asks at most. */
export const WAKE_CHANGED_MAX = 1_000
/** What people type into a field of search. */
export const THREAD_SEARCH_MAX_CHARS = 200
/** A person's note with a rating: a paragraph. */
export const RATING_NOTE_MAX_CHARS = 2_000
/** A person's note with an answer: a paragraph for the model. */
export const APPROVAL_NOTE_MAX_CHARS = 2_000
/** One commit: with two reads and two writes of each skill and one read of each file it stays under 10,000 subrequests. */
export const COMMIT_SKILLS_MAX = 500
export const COMMIT_FILES_MAX = 5_000
/** An OpenAPI document of OPENAPI_MAX_BYTES as a JSON text has a quarter more. */
export const TOOL_IMPORT_BODY_MAX_BYTES = 20_971_520
/** Skills that one answer suggests. */
export const MATCH_RESULTS_MAX = 20
/** Making the list of what is shared, for everybody; clients give up after ten seconds or so. `each`: of one network. */
export const SHARE_QUEUE = { width: 1, room: 128, each: 32, timeoutMs: 5_000, heldMs: 30_000 }
/** A removed hook never comes back: an isolate refuses its deliveries unread this long. */
export const HOOK_REMOVED_MS = 10 * 60_000
/** Calls that the runs of one hook may make unasked. */
export const HOOK_ALLOWED_CALLS_MAX = 20
/** Fields of such a call that may hold anything: as many as a definition of a tool may list. */
export const HOOK_FREE_MAX = 50
/** Characters of the host a secret is bound to: a DNS name with its port. */
export const SECRET_HOST_MAX_CHARS = 260
