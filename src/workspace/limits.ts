// The numbers of this folder: unit in the name, then reason and source.

/**
 * Deleted threads that a workspace remembers, the newest: a report that is overtaken by so many deletions is not on its way
 * any more. With REPORTS_UNDER_WAY_MS alone one key could leave sixty million rows in a week.
 */
export const FORGOTTEN_THREADS_MAX = 100_000
/** Counted runs of one thread that a workspace remembers, the newest: a thread reports one run after the other. */
export const COUNTED_RUNS_MAX = 16
/**
 * Calls of one owner that a workspace lists as waiting, the first that asked: more than a person decides in a week. Each is
 * some kilobytes; those past it are shown by their threads.
 */
export const APPROVALS_LISTED_MAX = 1_000
/** Revoked keys that stay listed: more than any team makes by hand; a script that turns keys over must not fill a list. */
export const REVOKED_KEYS_MAX = 10_000
/**
 * A report of a thread that was sent twice arrives within this: no call lives so long, and a machine that died between
 * two of them is seldom off for longer. Until then the workspace remembers which runs it counted and which threads are
 * deleted.
 */
export const REPORTS_UNDER_WAY_MS = 7 * 24 * 3_600_000
/** An approved or queued run asks this often for its place among its key's runs, those far behind less often ... */
export const RESUME_RETRY_MS = 1_000
export const RESUME_RETRY_CAP_MS = 30_000
/** ... and one that did not ask for this long waits no more: three times the longest gap between two asks. */
export const RESUME_SEEN_MS = 90_000
/** Rows of open runs are written this long behind, many in one transaction: no answer waits for them. */
export const OPEN_RUNS_WRITE_MS = 50
/** How often open runs are looked through for those whose lease is over. */
export const OPEN_RUNS_SWEEP_MS = 60_000
/**
 * Search texts that one report may drop when there are too many, of each of SEARCH_THREADS_DROPPED threads. A report brings
 * THREAD_TEXTS_A_REPORT at most, so the workspace gets below a limit that was lowered within some reports, and no report holds it
 * up for long.
 */
export const THREAD_TEXTS_DROPPED = 100
/** Messages that a search looks at, the newest that have its words: it holds up all of a workspace for some milliseconds. */
export const THREAD_HITS_MAX = 1_000
/** Secrets of one workspace. */
export const SECRETS_MAX = 200
/** A new thread that was admitted counts for this long, if its report does not come: that comes within seconds. */
export const THREAD_ADMITTED_MS = 60_000
/**
 * What was replaced or deleted stays in R2 for up to an hour (FILE_STAGED_MS), and does not count as kept. With it the
 * store may hold twice the quota and this: the parts of a few uploads whose length nobody said.
 */
export const FILES_STORED_EXTRA_BYTES = 67_108_864
/** A thread without files is remembered this long: an older report of its files changes nothing meanwhile. */
export const FILE_ROOM_EMPTY_MS = 24 * 3_600_000
/** The part of a workspace's search texts that threads of one key may have, as of its threads: one key drops only its own. */
export const SEARCH_SHARES = 5
/**
 * What a search text is counted as besides its bytes and its words: 110 bytes were measured of one of a letter. More is counted, so
 * that no key has more than 200,000 texts of the default size: a search that finds nothing reads through the lists of all of them.
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
