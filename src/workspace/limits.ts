// Limits of the Workspace object. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

import { LEASE_MS } from '../limits/caps.ts'

/**
 * Number of deleted threads that a workspace remembers, newest first: no report arrives after so many more
 * deletions. With REPORT_REPEATABLE_MS alone, one key could leave sixty million rows within a week.
 */
export const DELETED_THREADS_REMEMBERED_MAX = 100_000
/**
 * Maximum number of waiting calls of one owner that a workspace lists, oldest first: more than a person
 * decides in a week. Each takes several kilobytes; calls beyond the limit are only in their threads.
 */
export const APPROVALS_LISTED_PER_OWNER_MAX = 1_000
/**
 * Maximum number of revoked or expired keys that stay listed: more than a team creates without scripts. A script that
 * rotates keys must not fill the list.
 */
export const REVOKED_KEYS_MAX = 10_000
/**
 * How long a thread's report may be repeated: no call lasts longer, and a machine that died meanwhile is
 * rarely off for longer. Until then, the workspace remembers which threads were deleted. The rows of runs show which runs
 * it counted; a setting keeps them at least as long.
 */
export const REPORT_REPEATABLE_MS = 7 * 24 * 3_600_000
/**
 * How often an approved or queued run requests its slot; runs far back in the queue do so less often, up to
 * the cap.
 */
export const SLOT_REQUEST_RETRY_MS = 1_000
export const SLOT_REQUEST_RETRY_MAX_MS = 30_000
/**
 * A run that has not requested its slot for this long is removed from the queue: three times the longest
 * interval.
 */
export const SLOT_REQUEST_EXPIRY_MS = 90_000
/**
 * How long rows of open runs are collected before they are written in one transaction: no response waits for
 * them.
 */
export const OPEN_RUNS_WRITE_DELAY_MS = 50
/** How often expired leases of open runs are removed. */
export const OPEN_RUNS_SWEEP_INTERVAL_MS = 60_000
/**
 * If there are too many search texts, the maximum number that one report drops of a thread, or of each of
 * DROPPED_TEXTS_THREADS_MAX threads. A report adds at most REPORT_TEXTS_MAX, so the workspace falls below a lowered
 * limit within several reports, and no report blocks it for long.
 */
export const DROPPED_TEXTS_MAX = 100
/**
 * If a key has too many search texts, the maximum number of its threads from which one report drops texts, starting
 * with the longest inactive thread.
 */
export const DROPPED_TEXTS_THREADS_MAX = 20
/**
 * Maximum number of matching messages that a search reads, newest first: it blocks the whole workspace for a
 * few milliseconds.
 */
export const SEARCH_MATCHES_READ_MAX = 1_000
/** Maximum number of secrets in a workspace. */
export const SECRETS_MAX = 200
/**
 * How long an admitted thread counts without having been reported; a report usually arrives within seconds.
 */
export const THREAD_ADMISSION_MS = 60_000
/**
 * How many bytes the store may have beyond twice the quota. Replaced and deleted files remain in R2 for up to
 * an hour (STAGED_FILE_RETENTION_MS) and do not count as kept; this allows for a few more uploads of unknown length.
 */
export const FILES_STORED_EXTRA_BYTES = 67_108_864
/**
 * How long a thread without files is remembered, so that an older request for space changes nothing. Shorter than
 * REPORT_REPEATABLE_MS, because a request is never repeated: an old one can only be in transit.
 */
export const FILELESS_THREAD_RETENTION_MS = 24 * 3_600_000
/**
 * The threads of one key may have one fifth of a workspace's search texts, so that a key that adds too many texts only
 * displaces its own.
 */
export const SEARCH_SHARE_PER_API_KEY_DIVISOR = 5
/**
 * Counted for each search text in addition to its bytes and words. A text of one letter actually takes 110
 * bytes; more is counted, so that no key can have more than 200,000 texts with the default limit: a search
 * without results reads the lists of all of them.
 */
export const SEARCH_TEXT_SURCHARGE_BYTES = 1_024
/** The size of an SQLite page, and the maximum number of bytes of a row that precede its text. */
export const SQLITE_PAGE_BYTES = 4_096
export const SEARCH_ROW_HEADER_MAX_BYTES = 64
/**
 * How many threads' titles, texts and characters a search for a prefix may read. Folding and comparing a
 * megabyte takes a few milliseconds, or up to 30 in languages with accents.
 */
export const PREFIX_SEARCH_THREADS_READ_MAX = 500
export const PREFIX_SEARCH_TEXTS_READ_MAX = 1_000
export const PREFIX_SEARCH_CHARS_READ_MAX = 1_048_576
/** Maximum number of texts that are in memory at the same time, and that are read of one thread: at most a megabyte. */
export const PREFIX_SEARCH_BATCH_TEXTS = 250
/**
 * Number of versions of a workspace's settings that are kept: enough for years of changes by people, while a
 * script cannot fill the object.
 */
export const SETTINGS_VERSIONS_MAX = 1_000
/** Maximum number of threads listed for each entry of the list of trees, newest first. A fork of a fork rarely goes further. */
export const TREE_THREADS_LISTED_MAX = 100
/** MCP servers of which the last observation is kept: as many as a workspace may have, with some that it had. */
export const MCP_SERVERS_SEEN_MAX = 400
/**
 * Number of runs that wait to be added to the sums. A batch adds up to six sums for each run that differs in day, key, user,
 * model or skill, and takes a few milliseconds; each request for usage reads what waits.
 */
export const RUNS_SUMMED_AFTER = 256
/** Maximum number of rows of runs, oldest deleted first: at 300 to 900 bytes, a tenth of the object's 10 GB. */
export const RUN_ROWS_MAX = 1_000_000
/** Maximum number of old rows deleted with a batch: four times as many as a batch adds. */
export const RUNS_SWEPT_MAX = 1_024
/** Maximum number of skills in the row of a run, which then takes at most 4 KB. */
export const RUN_SKILLS_MAX = 20
/** Maximum number of rows of runs that one page reads, which takes about 30 ms. */
export const RUNS_SCANNED_MAX = 20_000
/** Maximum number of runs in one statement: 30 KB of IDs. */
export const RUN_ROWS_UPDATED_MAX = 1_000
/** Maximum number of days in a report by day and by key, user and so on: a year, and the month before it. */
export const USAGE_DAYS_MAX = 400
/** Maximum number of rows in a report of usage: ten keys on each of 90 days. */
export const USAGE_ROWS_MAX = 1_000
/** Access tokens that are kept; the one that expires first is dropped. */
export const TOKENS_MAX = 400
/** How long others wait for a caller that obtains a token: as long as its requests may take. */
export const TOKEN_FLIGHT_MS = 15_000
/** Number of models with counters of their own in the metrics; runs of others are counted as `other`. Few teams use more. */
export const METRIC_MODELS_MAX = 10
/**
 * Upper bounds of the buckets of the metrics, in milliseconds and steps. Fixed, because counts of other bounds cannot be
 * compared. From what a cached prompt takes to the longest run; a run has 25 steps by default.
 */
export const FIRST_TEXT_BUCKETS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 300_000]
export const STEPS_BUCKETS = [1, 2, 4, 8, 16, 25, 50, 100]
/**
 * Maximum number of actions in the audit, oldest deleted first: at about 500 bytes, a twentieth of the object's 10 GB. A key may
 * send 6,000 requests a minute.
 */
export const AUDIT_ROWS_MAX = 1_000_000
/** Maximum number of actions of chat keys, which delete threads. Each deletion reads past so many rows: about a millisecond. */
export const AUDIT_CHAT_ROWS_MAX = 50_000
/** Maximum number of old actions deleted with each new one. */
export const AUDIT_SWEPT_MAX = 20
/** Maximum number of actions that one page reads, as for runs. */
export const AUDIT_SCANNED_MAX = 20_000
/** After this time, an action that has not ended will not end: longer than any request to an admin's route. */
export const AUDIT_UNFINISHED_MS = 15 * 60_000
/** Maximum number of actions whose events are passed on at once. */
export const AUDIT_ANNOUNCED_MAX = 100
/** Networks whose failed sign-ins are counted within a minute; further ones are counted together. */
export const FAILED_SIGN_IN_NETWORKS_MAX = 50
/** Maximum number of rows of failed sign-ins, oldest deleted first: about 100 bytes each. */
export const FAILED_SIGN_IN_ROWS_MAX = 10_000
/** Threads of a deleted user that one alarm deletes, and how many of them at once. The platform ends an alarm after 15 minutes. */
export const USER_DELETION_THREADS = 40
export const USER_DELETION_AT_ONCE = 4
/**
 * How long the deletion of a user takes at least: other isolates trust a revoked key for 30 s, and a run that they accept reports
 * its thread within seconds.
 */
export const USER_DELETION_MIN_MS = 60_000
/** The pause before another round if threads are left: one that did not answer, or whose own deletion is not complete. */
export const USER_DELETION_ROUND_PAUSE_MS = 10_000
/** After so many rounds, a listed thread that does not exist is removed from the list. */
export const USER_DELETION_STALE_ROUNDS = 4
/** Unused threads that one alarm asks, a hundred milliseconds each; then others are served for RETENTION_PAUSE_MS. */
export const RETENTION_THREADS = 50
export const RETENTION_PAUSE_MS = 2_000
/** How often unused threads are looked for. The setting counts days. */
export const RETENTION_INTERVAL_MS = 3_600_000
/** When background work is repeated that failed or was interrupted. */
export const BACKGROUND_RETRY_MS = 60_000
/** Pages of the search index that are rewritten at once, of 4 KB each: a few milliseconds. */
export const INDEX_PAGES_MERGED = 250
/** After this time a lease whose run did not ask again and was not reported counts as spent: a minute after its last use. */
export const LEASE_EXPIRY_MS = LEASE_MS + 60_000
/** A run gets this share of what is left of a cap at first, so that eight runs can work at the same time without asking for more. */
export const LEASE_SHARE_DIVISOR = 8
/** When to try again if all that is left of a cap is reserved: runs end within minutes, and return the rest. */
export const LEASED_OUT_RETRY_S = 5
/** The share of a cap at which people are warned. */
export const CAP_WARNING_SHARE = 0.8
/** How many objects a refusal names that are missing after a restore: enough to recognize them. */
export const RESTORE_MISSING_SHOWN = 5
