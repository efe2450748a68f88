// Every number of the page, with unit and reason. What the server enforces is in src/limits.ts.

/** ms. The server shows life every 15 s: a whole span of this without a byte means that the line is dead. */
export const SILENCE_MS = 40_000
/** ms between tries to reach a server that is away; a restart takes about 5 s. The browser's word that it is online tries at once. */
export const AWAY_RETRY_MS = 4_000
/** ms in which a deletion can be undone (issue 12; WCAG 2.2.1 asks for a pause on hover or focus besides). */
export const UNDO_MS = 5_000
/** ms that a toast without a way back stands: 20 words read at ease. */
export const TOAST_MS = 6_000
/** ms after the last key before a draft is kept, so that typing writes nothing. */
export const DRAFT_MS = 300
/** Entries that a page of a list asks for: the most that the server gives. */
export const PAGE_ENTRIES = 100
/** Pages of messages, runs and files that are read of one thread: 10,000 messages are more than a window holds. */
export const HISTORY_PAGES = 100
/** Pages of skills: 10,000. */
export const SKILL_PAGES = 100
/** Turns that are drawn when a thread is opened, so that a long one opens at once; the rest comes on demand. */
export const TURNS_DRAWN = 60
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
/** ms for which a button says that it was done. */
export const SAID_MS = 2_000
/** px from the end that still are the end: places are fractions on some screens. */
export const AT_END_PX = 8
/** px below the view from which on there is a way to the end: less than four lines are no way. */
export const FAR_PX = 96
/** px above a question that was just sent. */
export const TOP_GAP_PX = 16
