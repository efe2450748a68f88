// The limits of this folder: unit in the name, then reason and source.

/** Size of one image for the Messages API: 5 MiB of base64. */
export const IMAGE_FILE_MAX_BYTES = 3_932_160
/** Entries in one listing of a folder. */
export const LS_MAX_ENTRIES = 500
/** Characters in one list of ls, glob or grep: long paths end a list earlier. */
export const LISTING_MAX_CHARS = 50_000
/** Names compared with a missing file's name, and their length: 2,000 of 64 characters take about 30 ms. */
export const NEAR_NAMES_COMPARED = 2_000
export const NEAR_NAME_MAX_CHARS = 64
/**
 * A pattern of grep or glob: the longest that people write have 200 characters. Many counts (`a{20}`) often take long
 * to compile.
 */
export const PATTERN_MAX_CHARS = 500
export const PATTERN_COUNTS_MAX = 20
/** Steps of a compiled pattern: 200 alternatives of five letters. */
export const PATTERN_MAX_STEPS = 1_000
/**
 * Memory for the states of a pattern: some thousand states. A pattern that needs more is slow, and is charged for it.
 */
export const PATTERN_MEMORY_BYTES = 1_048_576
/**
 * Work of one search, in units of about a microsecond: a second. Usual patterns take 0.005 a character, so 100 MB fit;
 * after that the search reports how far it got.
 */
export const SEARCH_WORK_MAX = 1_000_000
/** Maximum number of results (same as deer-flow), and characters shown per matching line. */
export const GLOB_MAX_PATHS = 200
export const GREP_MAX_LINES = 100
export const GREP_LINE_CHARS = 200
/** Larger files are not searched: one at a time is in memory. */
export const GREP_FILE_MAX_BYTES = 8_388_608
/**
 * Searched at once, in whole lines; of a longer line only its beginning. The worst pattern takes a tenth of a second
 * for it.
 */
export const GREP_PIECE_BYTES = 8_192
/** Files in R2, or in skills, that one search reads: each takes milliseconds. */
export const GREP_FETCHED_MAX = 200
/** Skills whose file lists one search reads. */
export const SEARCH_SKILLS_MAX = 200
/** read_file waits for document readers, which have a limit of 45 s. */
export const READ_FILE_TIMEOUT_MS = 50_000
/**
 * Characters of document texts that an isolate caches, at most two bytes each: the next range of lines needs no second
 * reading.
 */
export const DOCUMENT_TEXTS_KEPT_CHARS = 2_000_000
/** A file that a tool edits is in memory as bytes and as text, before and after: six times this, of 128 MB. */
export const FILE_EDIT_MAX_BYTES = 4_194_304
export const EDIT_COPIES = 6
/** Matches that one edit replaces: each takes some bytes meanwhile, and the model can write the whole file instead. */
export const EDIT_MATCHES_MAX = 100_000
/** Matches listed if a text is found more than once; characters quoted from a file if a text is almost found. */
export const EDIT_MATCHES_SHOWN = 10
export const EDIT_QUOTE_CHARS = 500
/** Characters of lines compared to find a near match: a million takes about ten milliseconds. */
export const EDIT_CHARS_COMPARED = 10_000_000
/** Files presented in one call: more than a person looks through. Headings are looked up in files up to this size. */
export const PRESENTED_MAX = 20
export const HEADING_FILE_MAX_BYTES = 262_144
export const ARTIFACT_TITLE_CHARS = 120
/** Timeout of one command, unless the call sets another. */
export const SANDBOX_WALL_MS = 60_000
/** Characters of one command: longer scripts belong in a file. */
export const SANDBOX_COMMAND_MAX_CHARS = 100_000
