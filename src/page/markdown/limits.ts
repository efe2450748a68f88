// Numbers of this folder, with unit and reason.

/** Quotes and lists within each other that Markdown follows; what lies deeper is text. The parser's own is 100, and each is a call deep when it is drawn. */
export const MARKDOWN_NESTING = 32
/** Characters of a block that is still written, above which it is parsed now and then only: 16 KB take about 4 ms. */
export const OPEN_BLOCK_CHARS = 16_384
/** ms between two parses of such a block. */
export const OPEN_BLOCK_MS = 250
/** Times that the last parse took, before the next: a fifth of the time at most goes into parsing. */
export const PARSE_REST = 4
/** ms that colouring one piece of code may take; patterns of highlighters are quadratic on hostile text. */
export const HIGHLIGHT_MS = 300
/** ms until a Worker must have begun: it loads 40 KB first. Without one code stays plain. */
export const HIGHLIGHT_START_MS = 10_000
/** Characters of code that is coloured: more are thousands of elements, and nobody reads them in a chat. */
export const HIGHLIGHT_CHARS = 40_000
/** Lines of code above which it is folded, and how many are then shown. */
export const CODE_FOLD_LINES = 40
export const CODE_FOLDED_LINES = 24
