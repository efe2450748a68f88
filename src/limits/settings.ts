// Limits of settings that several folders share: unit in the name, then reason and source.

/** Entries of a list of tools, and characters of one: the API's limit on a tool's name. */
export const TOOL_LIST_MAX = 200
export const TOOL_NAME_MAX_CHARS = 64
/** A token in a header: servers accept at least 8 KB of headers; the longest signed tokens have about 4,000. */
export const SECRET_MAX_CHARS = 4_096
/** A file search reads all rows as one list: 10,000 paths of 255 characters are 2.6 MB. */
export const FILES_CEILING = 10_000
/** One file, default and maximum: it is in the memory of an isolate (128 MB) while it is written or searched. */
export const FILE_MAX_BYTES = 33_554_432
/** Total file size of one thread: the default and the maximum (1 GiB, 10 GiB; ten cost $0.16 a month in R2). */
export const THREAD_FILES_CEILING_BYTES = 10_737_418_240
/**
 * Threads of one workspace, and of one key: the defaults and the maximum. A thread takes 1 to 6 KB of the workspace's 10 GB
 * (Durable Object storage limit), plus its search texts. A key may fill a fifth of the table.
 */
export const THREADS_CEILING = 1_000_000
/**
 * Search texts of one thread and of a workspace: the defaults and the maximum. 1 MiB is 700 messages of a paragraph. Counts
 * texts with their index, so 1 GiB leaves most of the 10 GB to other data.
 */
export const THREAD_SEARCH_CEILING_BYTES = 67_108_864
/**
 * Search texts of one thread and of a workspace: the defaults and the maximum. 1 MiB is 700 messages of a paragraph. Counts
 * texts with their index, so 1 GiB leaves most of the 10 GB to other data.
 */
export const SEARCH_CEILING_BYTES = 1_073_741_824
/**
 * Total file size of all threads of one key, and of a workspace: the defaults (20 GiB, 100 GiB; $0.30 and $1.50 a month in R2)
 * and the maximum (10 TiB).
 */
export const WORKSPACE_FILES_CEILING_BYTES = 10_995_116_277_760
/** The maximum size of a workspace's skills: 10 TiB, as for files of threads. */
export const SKILLS_CEILING_BYTES = 10_995_116_277_760
