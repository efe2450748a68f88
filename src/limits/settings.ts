// Limits of settings that several folders share. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum number of entries in a list of tools. */
export const TOOL_LIST_ENTRIES_MAX = 200
/** Maximum length of a secret, which must fit into 8 KB of headers. The longest signed tokens have about 4,000 characters. */
export const SECRET_MAX_CHARS = 4_096
/** Maximum value of a thread's limit on files. A file search holds all paths in memory: up to 2.6 MB for 10,000 files. */
export const FILES_CEILING = 10_000
/** Default size of one file. Tools that hold a whole file in the memory of an isolate (128 MB) read no larger ones. */
export const FILE_MAX_BYTES = 33_554_432
/** Maximum value of the limit on one file. Larger bodies of requests are refused on most of Cloudflare's plans. */
export const FILE_CEILING_BYTES = 100_000_000
/** Maximum value of a thread's limit on bytes of files: 10 GiB, which cost $0.16 a month in R2. */
export const THREAD_FILES_CEILING_BYTES = 10_737_418_240
/**
 * Maximum value of the limits on threads of a workspace and of a key. Each thread takes 1 to 6 KB of the workspace's 10 GB, plus search texts.
 */
export const THREADS_CEILING = 1_000_000
/** Maximum value of a thread's limit on search texts, including their index: 64 MiB. */
export const THREAD_SEARCH_CEILING_BYTES = 67_108_864
/** Maximum value of a workspace's limit on search texts, including their index: a tenth of its 10 GB. */
export const SEARCH_CEILING_BYTES = 1_073_741_824
/** Maximum value of the limits on bytes of files of a workspace and of a key: 10 TiB. */
export const WORKSPACE_FILES_CEILING_BYTES = 10_995_116_277_760
/** Maximum value of a workspace's limit on bytes of skills: 10 TiB, as for files. */
export const SKILLS_CEILING_BYTES = 10_995_116_277_760
/** Share of the model's window, without room for its output, at which a thread continues in a new window; in percent. */
export const COMPACT_PERCENT_MIN = 50
export const COMPACT_PERCENT_DEFAULT = 80
export const COMPACT_PERCENT_MAX = 95
/**
 * Days that the rows of runs are kept. Until a thread's report can no longer be repeated (a week), its row shows that it
 * was counted.
 */
export const RUN_DAYS_MIN = 7
export const RUN_DAYS_DEFAULT = 90
export const RUN_DAYS_MAX = 3_650
/**
 * Days that the audit is kept. An admin who shortens them still leaves a month, in which others can see that.
 */
export const AUDIT_DAYS_MIN = 30
export const AUDIT_DAYS_DEFAULT = 365
export const AUDIT_DAYS_MAX = 3_650
/** Maximum value of the seconds that a run waits to learn what it may spend: half of its time limit. */
export const LEASE_WAIT_CEILING_S = 300
/** Days that threads are kept after their last use: ten years. */
export const THREAD_DAYS_MAX = 3_650
