// The numbers of this folder: unit in the name, then reason and source.

/** The longest retention that can be set: ten years, past which "keep" is what is meant. */
export const RETENTION_DAYS_MAX = 3_650
/** Runs of one key at once and waiting, unless the Worker's variables of that name say otherwise: one key fills no machine. */
export const RUNS_PER_KEY = 200
export const QUEUED_PER_KEY = 1_000
/** More than any workspace should hold in the memory of one object. */
export const PER_KEY_MAX = 100_000
/**
 * What the choice of links may say between two messages of a person, in bits, once private data may be in the thread: about
 * seven characters of a key of 46, or six links of a page of a hundred.
 */
export const LINK_BITS = 40
/** Models that the setting MODELS may list, and what one may say of itself: typing errors are named, not charged. */
export const MODELS_MAX = 100
export const MODEL_WINDOW_MAX_TOKENS = 100_000_000
export const MODEL_PRICE_MAX_USD = 10_000
/** Files of one thread: the default of its setting, more than a long piece of work makes, and the most that can be set. */
export const FILES_MAX = 2_000
/** All files of one thread: the default, and the most that can be set (1 GiB, 10 GiB): in R2 $0.16 a month for ten. */
export const THREAD_FILES_MAX_BYTES = 1_073_741_824
/**
 * Threads of one workspace, and of those the ones that one key made: the defaults of their settings, and the most that can
 * be set. A thread takes 1 to 6 KB of the workspace's 10 GB (Durable Object storage limit) besides its search texts. A key
 * has a fifth of the table, so that one key cannot fill it alone.
 */
export const THREADS_MAX = 100_000
export const THREADS_PER_KEY = 20_000
/**
 * Search texts of one thread and of a workspace: the defaults of their settings, and the most that can be set. 1 MiB is
 * 700 messages of a paragraph. Counted is what a text and its index take of the store, so 1 GiB leaves most of the 10 GB to all else.
 */
export const THREAD_SEARCH_MAX_BYTES = 1_048_576
export const SEARCH_MAX_BYTES = 1_073_741_824
/**
 * File bytes of all threads that one key made, and of a workspace: the defaults of their settings (20 GiB, 100 GiB: in R2
 * $0.30 and $1.50 a month), and the most that can be set (10 TiB).
 */
export const KEY_FILES_MAX_BYTES = 21_474_836_480
export const WORKSPACE_FILES_MAX_BYTES = 107_374_182_400
/**
 * Bytes of skills of a workspace, with every version and index and what no version names yet: the default of its setting.
 * 100 GiB ($1.50 a month in R2) are a million versions of an ordinary skill of 100 KB, and 12,000 changes of the largest index.
 */
export const SKILLS_MAX_BYTES = 107_374_182_400
/** US dollars for 1,000 searches that SEARCH_PRICE may state: a hundred times list prices. Typing errors are named, not charged. */
export const SEARCH_PRICE_MAX_USD = 1_000
