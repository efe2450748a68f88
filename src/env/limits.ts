// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.
// A constant with the name of a variable is the variable's default.

/** The longest retention that can be set: ten years. To keep data longer, set no retention. */
export const RETENTION_DAYS_MAX = 3_650
/** Default limits of one key's active and queued runs, so that a single key cannot use up a machine. */
export const RUNS_PER_KEY = 200
export const QUEUED_PER_KEY = 1_000
/** Maximum value of RUNS_PER_KEY and QUEUED_PER_KEY. More runs would not fit into the memory of a workspace's object. */
export const RUNS_PER_KEY_CEILING = 100_000
/**
 * Bits that the choice of links may reveal between two messages of a person once private data may be in the thread:
 * about seven characters of a key of 46, or six choices among a page's hundred links.
 */
export const LINK_BITS_DEFAULT = 40
/**
 * How many seconds a run waits for the workspace to say what it may spend: an object that is restarted, as by a deployment,
 * is back by then, and a person still waits.
 */
export const LEASE_WAIT_S = 5
/** Maximum number of models in the variable MODELS, and maximum values of their fields, so that typos cause errors rather than charges. */
export const MODELS_MAX = 100
export const MODEL_WINDOW_MAX_TOKENS = 100_000_000
export const MODEL_PRICE_MAX_USD = 10_000
/** Default number of files in one thread. Even long tasks create fewer. */
export const FILES_MAX = 2_000
/** Default total size of all files in one thread: 1 GiB. */
export const THREAD_FILES_MAX_BYTES = 1_073_741_824
/**
 * Default number of threads in a workspace, and of one key, which may use a fifth of them. A thread takes 1 to 6 KB of
 * the workspace's 10 GB (the storage limit of a Durable Object), plus its search texts.
 */
export const THREADS_MAX = 100_000
export const THREADS_PER_KEY = 20_000
/**
 * Default size of the search texts, including their index, of one thread and of a workspace. 1 MiB is enough for 700
 * messages of one paragraph; 1 GiB leaves most of the workspace's 10 GB for other data.
 */
export const THREAD_SEARCH_MAX_BYTES = 1_048_576
export const SEARCH_MAX_BYTES = 1_073_741_824
/** Default total size of all files of one key (20 GiB, $0.30 a month in R2) and of a workspace (100 GiB, $1.50 a month). */
export const KEY_FILES_MAX_BYTES = 21_474_836_480
export const WORKSPACE_FILES_MAX_BYTES = 107_374_182_400
/**
 * Default total size of a workspace's skills, including all versions, indexes and unreferenced files. 100 GiB ($1.50 a month
 * in R2) are a million versions of an ordinary skill of 100 KB, or 12,000 changes of the largest index.
 */
export const SKILLS_MAX_BYTES = 107_374_182_400
/**
 * Maximum of SEARCH_PRICE, in US dollars for 1,000 searches: a hundred times the list prices, so that a typo causes an
 * error rather than a charge.
 */
export const SEARCH_PRICE_MAX_USD = 1_000
