// Limits of the file tools. A name without a unit is a count.

/** Largest image file that can be shown; in base64 it is 5 MiB, the limit of the Messages API. */
export const IMAGE_FILE_MAX_BYTES = 3_932_160
/** Maximum number of entries in one result of ls. */
export const LS_ENTRIES_MAX = 500
/** Maximum size of one list from ls, glob or grep. With long paths, it is reached before the number of entries. */
export const LISTING_MAX_CHARS = 50_000
/**
 * How many file names are compared with the name of a missing file, and how long that name may be. Comparing 2,000
 * names of 64 characters takes about 30 ms.
 */
export const SIMILAR_NAMES_COMPARED_MAX = 2_000
export const SIMILAR_NAME_MAX_CHARS = 64
/**
 * Length of a pattern for grep or glob (the longest that people write are about 200 characters), and the number of
 * counted repetitions such as `a{20}` in it, which can be slow to compile.
 */
export const PATTERN_MAX_CHARS = 500
export const PATTERN_REPEATS_MAX = 20
/** Maximum number of instructions in a compiled pattern; enough for 200 alternatives of five letters. */
export const PATTERN_MAX_STEPS = 1_000
/**
 * Memory in which the states of a pattern are cached, enough for a few thousand. A pattern that needs more runs slower,
 * and its cost is counted accordingly.
 */
export const PATTERN_MEMORY_BYTES = 1_048_576
/**
 * Maximum cost of one search, in units of about a microsecond. Ordinary patterns cost 0.005 per character, which allows
 * about 100 MB. A search that reaches the limit stops and reports how far it got.
 */
export const SEARCH_COST_MAX = 1_000_000
/** Maximum number of results (same as deer-flow), and characters shown per matching line. */
export const GLOB_PATHS_MAX = 200
export const GREP_LINES_MAX = 100
export const GREP_LINE_MAX_CHARS = 200
/** Size of the largest file that grep searches; it holds one file at a time in memory. */
export const GREP_FILE_MAX_BYTES = 8_388_608
/**
 * Size of the chunks that grep searches without a pause. A chunk consists of whole lines; of a longer line, only the
 * beginning is searched. The slowest pattern takes 100 ms for one chunk.
 */
export const GREP_CHUNK_BYTES = 8_192
/** How many files in R2 or in skills one search reads; each read takes milliseconds. */
export const GREP_REMOTE_FILES_MAX = 200
/** Maximum number of skills in which one search looks for files. */
export const SEARCH_SKILLS_MAX = 200
/** Timeout of read_file. It is longer than the limit of the document readers, which is 45 s. */
export const READ_FILE_TIMEOUT_MS = 50_000
/** Total size of the document texts that an isolate caches; a character takes at most two bytes of memory. */
export const CACHED_DOCUMENTS_MAX_CHARS = 2_000_000
/** Size of the largest file that a tool edits. */
export const FILE_EDIT_MAX_BYTES = 4_194_304
/**
 * Memory that an edit needs, as a multiple of the file's size: both versions are in memory as bytes and as text, and an
 * isolate has 128 MB.
 */
export const EDIT_MEMORY_FACTOR = 6
/** Maximum number of replacements in one edit. For more, the model has to write the complete file. */
export const EDIT_MATCHES_MAX = 100_000
/** How many matches are listed if a text occurs several times, and how much of a near match is quoted. */
export const EDIT_MATCHES_SHOWN_MAX = 10
export const EDIT_QUOTE_MAX_CHARS = 500
/** How much of a file is searched for a near match; a million characters take about 10 ms. */
export const EDIT_COMPARED_MAX_CHARS = 10_000_000
/**
 * Maximum number of files presented in one call, size of the largest file that is read to find its heading, and length
 * of the title that is shown.
 */
export const PRESENTED_FILES_MAX = 20
export const HEADING_FILE_MAX_BYTES = 262_144
export const ARTIFACT_TITLE_MAX_CHARS = 120
/** Default timeout of one command. */
export const SANDBOX_WALL_DEFAULT_MS = 60_000
/** Maximum length of one command; a longer script belongs in a file. */
export const SANDBOX_COMMAND_MAX_CHARS = 100_000
