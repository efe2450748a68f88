// Limits of this folder: unit in the name, then reason and source.

/** The longest retention: ten years. For longer, keep everything. */
export const RETENTION_DAYS_MAX = 3_650
/** Default limits of one key's active and queued runs: one key must not fill a machine. */
export const RUNS_PER_KEY = 200
export const QUEUED_PER_KEY = 1_000
/** More than a workspace should hold in the memory of one object. */
export const PER_KEY_MAX = 100_000
/**
 * Bits that the choice of links may reveal between two messages of a person, once private data may be in the thread: about seven
 * characters of a key of 46, or six links of a page of a hundred.
 */
export const LINK_BITS = 40
/** Models in the setting MODELS, and limits of their fields: a typing error gives an error rather than a charge. */
export const MODELS_MAX = 100
export const MODEL_WINDOW_MAX_TOKENS = 100_000_000
export const MODEL_PRICE_MAX_USD = 10_000
/** Files of one thread: the default, more than long work creates, and the maximum. */
export const FILES_MAX = 2_000
/** Total file size of one thread: the default and the maximum (1 GiB, 10 GiB; ten cost $0.16 a month in R2). */
export const THREAD_FILES_MAX_BYTES = 1_073_741_824
/**
 * Threads of one workspace, and of one key: the defaults and the maximum. A thread takes 1 to 6 KB of the workspace's 10 GB
 * (Durable Object storage limit), plus its search texts. A key may fill a fifth of the table.
 */
export const THREADS_MAX = 100_000
export const THREADS_PER_KEY = 20_000
/**
 * Search texts of one thread and of a workspace: the defaults and the maximum. 1 MiB is 700 messages of a paragraph. Counts
 * texts with their index, so 1 GiB leaves most of the 10 GB to other data.
 */
export const THREAD_SEARCH_MAX_BYTES = 1_048_576
export const SEARCH_MAX_BYTES = 1_073_741_824
/**
 * Total file size of all threads of one key, and of a workspace: the defaults (20 GiB, 100 GiB; $0.30 and $1.50 a month in R2)
 * and the maximum (10 TiB).
 */
export const KEY_FILES_MAX_BYTES = 21_474_836_480
export const WORKSPACE_FILES_MAX_BYTES = 107_374_182_400
/**
 * Bytes of a workspace's skills, with every version, index and unreferenced file: the default. 100 GiB ($1.50 a month in R2) are
 * a million versions of an ordinary skill of 100 KB, and 12,000 changes of the largest index.
 */
export const SKILLS_MAX_BYTES = 107_374_182_400
/**
 * US dollars for 1,000 searches in SEARCH_PRICE: a hundred times list prices. A typing error gives an error rather than a
 * charge.
 */
export const SEARCH_PRICE_MAX_USD = 1_000
