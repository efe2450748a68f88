// The limits of this folder: unit in the name, then reason and source.

/**
 * Deleted threads that a workspace remembers, newest first: a report older than this many deletions no longer arrives.
 * With REPORTS_UNDER_WAY_MS alone one key could leave sixty million rows in a week.
 */
export const FORGOTTEN_THREADS_MAX = 100_000
/** Counted runs of one thread that a workspace remembers, newest first: a thread reports its runs one after another. */
export const COUNTED_RUNS_MAX = 16
/**
 * Waiting calls of one owner that a workspace lists, oldest first: more than a person decides in a week. Each takes
 * some kilobytes; their threads show the rest.
 */
export const APPROVALS_LISTED_MAX = 1_000
/** Revoked keys that stay listed: more than a team creates by hand; a script that rotates keys must not fill a list. */
export const REVOKED_KEYS_MAX = 10_000
/**
 * A repeated report of a thread arrives within this time: no call lasts longer, and a machine that died in between is
 * seldom off for longer. Until then the workspace remembers which runs it counted and which threads are deleted.
 */
export const REPORTS_UNDER_WAY_MS = 7 * 24 * 3_600_000
/** How often an approved or queued run requests its slot; runs far back in the queue request less often. */
export const RESUME_RETRY_MS = 1_000
export const RESUME_RETRY_CAP_MS = 30_000
/** A run that sent no request for this long is no longer in the queue: three times the longest interval. */
export const RESUME_SEEN_MS = 90_000
/** Delay before rows of open runs are written, many in one transaction: no answer waits for them. */
export const OPEN_RUNS_WRITE_MS = 50
/** How often expired leases of open runs are removed. */
export const OPEN_RUNS_SWEEP_MS = 60_000
/**
 * Search texts that one report may drop when there are too many, of each of SEARCH_THREADS_DROPPED threads. A report
 * brings at most THREAD_TEXTS_A_REPORT, so the workspace gets below a lowered limit within some reports, and no report
 * blocks it for long.
 */
export const THREAD_TEXTS_DROPPED = 100
/** Messages that a search reads, the newest matches: it blocks the whole workspace for some milliseconds. */
export const THREAD_HITS_MAX = 1_000
/** Secrets of one workspace. */
export const SECRETS_MAX = 200
/** How long an admitted thread counts without a report, which arrives within seconds. */
export const THREAD_ADMITTED_MS = 60_000
/**
 * What the store may have beyond twice the quota. Replaced and deleted files stay in R2 for up to an hour
 * (FILE_STAGED_MS) and do not count as kept; this adds a few uploads of unknown length.
 */
export const FILES_STORED_EXTRA_BYTES = 67_108_864
/** How long a thread without files is remembered: meanwhile an older report of its files changes nothing. */
export const FILE_ROOM_EMPTY_MS = 24 * 3_600_000
/** The part of a workspace's search texts that threads of one key may have, as of its threads: one key drops only its own. */
export const SEARCH_SHARES = 5
/**
 * Counted for each search text besides its bytes and its words. A text of one letter takes 110 bytes; more is counted,
 * so that no key has more than 200,000 texts of the default size: a search without results reads the lists of all of
 * them.
 */
export const SEARCH_TEXT_ROW_BYTES = 1_024
/** A page of SQLite, and what a row of a text has in it before the text, and the page before its rows, at most. */
export const SQLITE_PAGE_BYTES = 4_096
export const SEARCH_ROW_HEAD_BYTES = 64
/**
 * What a search for the beginning of a word reads: titles of the newest threads, then texts, until there are so many or so many
 * characters. Folding and comparing a megabyte takes some milliseconds, up to 30 in languages with accents.
 */
export const BEGINNING_THREADS_READ = 500
export const BEGINNING_TEXTS_READ = 1_000
export const BEGINNING_BYTES_READ = 1_048_576
/** Texts that it has in memory at once, and reads of one thread: a megabyte at most. */
export const BEGINNING_TEXTS_AT_ONCE = 250
/** Threads, the longest quiet, of which one report may drop search texts when their key has too many. */
export const SEARCH_THREADS_DROPPED = 20
/** Versions of a workspace's settings that are kept: years of changes by hand; a script must not fill the object. */
export const SETTINGS_HISTORY_MAX = 1_000
