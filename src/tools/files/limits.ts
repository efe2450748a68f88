// The numbers of this folder: unit in the name, then reason and source.

/** Of one image as the Messages API takes it: 5 MiB of base64. */
export const IMAGE_FILE_MAX_BYTES = 3_932_160
/** Entries in one listing of a folder: a screenful for a model. */
export const LS_MAX_ENTRIES = 500
/** The same of ls, glob and grep together: long paths end a list earlier. */
export const LISTING_MAX_CHARS = 50_000
/** Names compared for a file that is not there, and how long one may be: 2,000 of 64 characters take some 30 ms. */
export const NEAR_NAMES_COMPARED = 2_000
export const NEAR_NAME_MAX_CHARS = 64
/** A pattern of grep or glob: the longest that people write have 200. One that counts (`a{20}`) often takes long to compile. */
export const PATTERN_MAX_CHARS = 500
export const PATTERN_COUNTS_MAX = 20
/** Steps of a compiled pattern: 200 alternatives of five letters. */
export const PATTERN_MAX_STEPS = 1_000
/** What a pattern may remember of the states it was in: some thousand. One that needs more is slow, and is charged for it. */
export const PATTERN_MEMORY_BYTES = 1_048_576
/**
 * What one search may do, in units of about a microsecond: a second. Honest patterns take 0.005 a character, so that 100 MB
 * fit; after it the search says how far it came.
 */
export const SEARCH_WORK_MAX = 1_000_000
/** Shown at most, as deer-flow; of one line around its match. */
export const GLOB_MAX_PATHS = 200
export const GREP_MAX_LINES = 100
export const GREP_LINE_CHARS = 200
/** Larger files are not searched: one at a time stands in memory. */
export const GREP_FILE_MAX_BYTES = 8_388_608
/** Searched at once, whole lines; of a longer line only so much. The worst pattern takes a tenth of a second for it. */
export const GREP_PIECE_BYTES = 8_192
/** Files that lie in R2, or in skills, and are read by one search: each takes milliseconds to come. */
export const GREP_FETCHED_MAX = 200
/** Skills whose lists of files are read by one search. */
export const SEARCH_SKILLS_MAX = 200
/** read_file waits for documents to be read, whose reader has a bound of its own at 45 s. */
export const READ_FILE_TIMEOUT_MS = 50_000
/** Texts of documents that an isolate keeps, two bytes a character at most: the next range of lines needs no second reading. */
export const DOCUMENT_TEXTS_KEPT_CHARS = 2_000_000
/** A file that a tool edits stands in memory as bytes and as text, before and after: six times this, of 128 MB. */
export const FILE_EDIT_MAX_BYTES = 4_194_304
export const EDIT_COPIES = 6
/** Places that one edit replaces: each takes some bytes while it does, and who means more can write the file anew. */
export const EDIT_MATCHES_MAX = 100_000
/** Places of one text named where it is found more than once; what of a file is quoted where a text is almost found. */
export const EDIT_MATCHES_SHOWN = 10
export const EDIT_QUOTE_CHARS = 500
/** Characters of lines compared to find what is almost there: a million takes some ten milliseconds. */
export const EDIT_CHARS_COMPARED = 10_000_000
/** Files presented in one call: more than a person looks through. Their headings are looked for in files of this size. */
export const PRESENTED_MAX = 20
export const HEADING_FILE_MAX_BYTES = 262_144
export const ARTIFACT_TITLE_CHARS = 120
/** How long one command may take, unless its caller asks for more. */
export const SANDBOX_WALL_MS = 60_000
/** Characters of one command: scripts above this belong in a file. */
export const SANDBOX_COMMAND_MAX_CHARS = 100_000
