// Limits of this folder.

/**
 * Maximum depth of nested quotes and lists; deeper ones are shown as text. Lower than the parser's default of 100, because
 * rendering recurses once per level.
 */
export const MARKDOWN_NESTING_MAX = 32
/** Length of an open block above which it is parsed only periodically. Parsing 16 KB takes about 4 ms. */
export const LONG_BLOCK_MIN_CHARS = 16_384
/** Time in ms between two parses of a block longer than LONG_BLOCK_MIN_CHARS. */
export const LONG_BLOCK_PARSE_INTERVAL_MS = 250
/** The pause before the next parse, as a multiple of the last parse's time. Parsing thus takes at most a fifth of the time. */
export const PARSE_PAUSE_FACTOR = 4
/** Maximum number of characters that one update of a growing text adds. Rendering and drawing them takes about 10 ms. */
export const UPDATE_CHARS_MAX = 1_500
/** Timeout in ms for highlighting one code block or laying out one formula. The libraries are quadratic on hostile text. */
export const JOB_TIMEOUT_MS = 1_000
/** Timeout in ms for a Worker's start, in which it loads up to 60 KB. If it fails to start, its texts are shown as they are. */
export const WORKER_START_TIMEOUT_MS = 10_000
/** Maximum length of code that is highlighted. Longer code would create thousands of elements. */
export const HIGHLIGHT_CHARS_MAX = 40_000
/** Number of lines above which a code block is folded. */
export const CODE_UNFOLDED_LINES_MAX = 40
/** Number of lines shown of a folded block. */
export const CODE_FOLDED_LINES = 24
/** Characters of the longest cell up to which a column of text fits its content and does not wrap. */
export const SHORT_CELL_CHARS_MAX = 16
/** Characters of the head of a column up to which it does not wrap, so that a phone keeps it on one line. */
export const SHORT_HEAD_CHARS_MAX = 12
/** Maximum number of macros that a formula expands. Real formulas expand fewer than 100. */
export const TEX_EXPANSIONS_MAX = 500
/** Maximum size, in em, of a space or rule that a formula asks for. */
export const TEX_SIZE_MAX_EM = 20
/** Maximum number of elements of a formula. A matrix of 10 by 10 has 300. */
export const FORMULA_ELEMENTS_MAX = 2_000
/** Maximum depth of a formula's elements, because drawing recurses. */
export const FORMULA_DEPTH_MAX = 64
/** Number of formulas kept to be drawn again without a pause. */
export const FORMULAS_KEPT_MAX = 500
