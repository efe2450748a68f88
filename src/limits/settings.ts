// Numbers about settings that several folders share: unit in the name, then reason and source.

/** Entries of a list of tools, and characters of one: the API's bound of a tool's name. */
export const TOOL_LIST_MAX = 200
export const TOOL_NAME_MAX_CHARS = 64
/** A token in a header: servers take 8 KB of headers and more; the longest signed tokens have about 4,000. */
export const SECRET_MAX_CHARS = 4_096
/** Its rows are read as one list when files are searched: 10,000 paths of 255 characters are 2.6 MB. */
export const FILES_CEILING = 10_000
/** One file, the default and the most: it stands in the memory of an isolate (128 MB) while it is written or searched. */
export const FILE_MAX_BYTES = 33_554_432
/** All files of one thread: the default, and the most that can be set (1 GiB, 10 GiB): in R2 $0.16 a month for ten. */
export const THREAD_FILES_CEILING_BYTES = 10_737_418_240
/**
 * Threads of one workspace, and of those the ones that one key made: the defaults of their settings, and the most that can
 * be set. A thread takes 1 to 6 KB of the workspace's 10 GB (Durable Object storage limit) besides its search texts. A key
 * has a fifth of the table, so that one key cannot fill it alone.
 */
export const THREADS_CEILING = 1_000_000
/**
 * Search texts of one thread and of a workspace: the defaults of their settings, and the most that can be set. 1 MiB is
 * 700 messages of a paragraph. Counted is what a text and its index take of the store, so 1 GiB leaves most of the 10 GB to all else.
 */
export const THREAD_SEARCH_CEILING_BYTES = 67_108_864
/**
 * Search texts of one thread and of a workspace: the defaults of their settings, and the most that can be set. 1 MiB is
 * 700 messages of a paragraph. Counted is what a text and its index take of the store, so 1 GiB leaves most of the 10 GB to all else.
 */
export const SEARCH_CEILING_BYTES = 1_073_741_824
/**
 * File bytes of all threads that one key made, and of a workspace: the defaults of their settings (20 GiB, 100 GiB: in R2
 * $0.30 and $1.50 a month), and the most that can be set (10 TiB).
 */
export const WORKSPACE_FILES_CEILING_BYTES = 10_995_116_277_760
/** Bytes of skills that one workspace may set as its limit: 10 TiB, as for files of threads. */
export const SKILLS_CEILING_BYTES = 10_995_116_277_760
