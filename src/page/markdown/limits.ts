// Limits of this folder.

/**
 * Nested quotes and lists that Markdown parses; deeper ones are text. The parser's own limit is 100, and drawing recurses once
 * per level.
 */
export const MARKDOWN_NESTING = 32
/** Characters of an open block above which it is parsed only periodically: 16 KB take about 4 ms. */
export const OPEN_BLOCK_CHARS = 16_384
/** ms between two parses of such a block. */
export const OPEN_BLOCK_MS = 250
/** The pause before the next parse, as a multiple of the last parse's time: at most a fifth of the time goes into parsing. */
export const PARSE_REST = 4
/** ms to highlight one code block. Patterns of highlighters are quadratic on hostile text. */
export const HIGHLIGHT_MS = 300
/** ms for a Worker to start: it loads 40 KB first. Otherwise code stays plain. */
export const HIGHLIGHT_START_MS = 10_000
/** Characters of code that is highlighted. More would create thousands of elements. */
export const HIGHLIGHT_CHARS = 40_000
/** Lines of code above which a block is folded, and lines shown of it. */
export const CODE_FOLD_LINES = 40
export const CODE_FOLDED_LINES = 24
