// Limits of settings that several folders share. Each name contains the unit; comments give the reason and the source.

/** Entries in a list of tools, and characters of one entry: the model API's limit for tool names. */
export const TOOL_LIST_MAX = 200
export const TOOL_NAME_MAX_CHARS = 64
/** Characters of a secret, which must fit into 8 KB of headers. The longest signed tokens have about 4,000. */
export const SECRET_MAX_CHARS = 4_096
/** Files that a thread may be allowed. A file search holds all paths in memory: up to 2.6 MB for 10,000. */
export const FILES_CEILING = 10_000
/**
 * Default and maximum bytes of one file, which is in the memory of an isolate (128 MB) while it is written or
 * searched.
 */
export const FILE_MAX_BYTES = 33_554_432
/** Bytes of files that a thread may be allowed: 10 GiB, which cost $0.16 a month in R2. */
export const THREAD_FILES_CEILING_BYTES = 10_737_418_240
/**
 * Threads that a workspace or a key may be allowed. Each takes 1 to 6 KB of the workspace's 10 GB, plus search texts.
 */
export const THREADS_CEILING = 1_000_000
/** Bytes of search texts, including their index, that a thread may be allowed: 64 MiB. */
export const THREAD_SEARCH_CEILING_BYTES = 67_108_864
/** Bytes of search texts, including their index, that a workspace may be allowed: a tenth of its 10 GB. */
export const SEARCH_CEILING_BYTES = 1_073_741_824
/** Bytes of files that a workspace or a key may be allowed: 10 TiB. */
export const WORKSPACE_FILES_CEILING_BYTES = 10_995_116_277_760
/** Bytes of skills that a workspace may be allowed: 10 TiB, as for files. */
export const SKILLS_CEILING_BYTES = 10_995_116_277_760
