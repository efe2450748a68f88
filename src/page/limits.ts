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
/** Code points of a thread's title until the server's comes, which is cut alike (src/agent/title.ts): so it does not change. */
export const TITLE_CHARS = 60
/** ms after the last key before threads are searched: a typist's pause. */
export const SEARCH_MS = 200
/** ms for which the list of skills is taken as known. */
export const SKILLS_FRESH_MS = 60_000
/** ms between two readings of the list when a tab is looked at again and again. */
export const LOOK_AGAIN_MS = 3_000
/** ms between two readings of the list while it shows a thread as being answered: nothing tells of one that is not open. */
export const BUSY_LOOK_MS = 5_000
/** Characters of a thread's name: the server takes no more (TITLE_MAX_CHARS of src/limits.ts). */
export const TITLE_MAX = 200
/** Lines of the list of threads that are drawn at once, so that a list of thousands costs no more than one of these. */
export const ROWS_DRAWN = 100
/** Characters before the words that a search found: about a line of the side. */
export const BEFORE_CHARS = 24
/** Skills that an empty thread shows as ideas: what is read at a glance. */
export const IDEAS = 4
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
/** px from the end that still are the end: places are fractions on some screens. */
export const AT_END_PX = 8
/** px below the view from which on there is a way to the end: less than four lines are no way. */
export const FAR_PX = 96
/** px above a question that was just sent. */
export const TOP_GAP_PX = 16
/** Lines, and characters (code points), that a step shows of what went in or came out: two screens of it. */
export const STEP_LINES = 60
export const STEP_CHARS = 4_000
/** Characters of a note with a denial or a rating; the server refuses more. */
export const NOTE_CHARS = 2_000
/** Bytes of a paste that still goes into the box; a longer one becomes a file, because a box of 20,000 lines stands still for seconds. */
export const PASTE_BYTES = 10_240
/** Bytes of a file below which its upload is not stopped in the middle: they leave faster than a browser tells of it. */
export const STOP_BYTES = 1_048_576
/** Drafts that a browser keeps, the newest: more are forgotten ones. */
export const DRAFTS_KEPT = 50
/** Skills that the list behind a slash shows at once: what an eye takes in. */
export const SLASH_SHOWN = 8
/** ms for which the names behind a slash are taken from memory. */
export const SLASH_FRESH_MS = 30_000
/** Bytes of a file that the panel shows as text; the rest is in the download. Highlighting and tables stay quick up to it. */
export const PREVIEW_BYTES = 524_288
/** Rows, columns and cells of a table that the panel draws, and characters of one cell: so many are drawn in a blink. */
export const TABLE_ROWS = 1_000
export const TABLE_COLUMNS = 60
export const TABLE_CELLS = 20_000
export const CELL_CHARS = 500
/** ms for which the bytes of a download stay for the browser to take them over; it asks at once. */
export const DOWNLOAD_KEPT_MS = 40_000
/** Limits of a run that the menu offers, and the most that the server takes of each (docs/api.md). */
export const BUDGET_DEFAULTS = { usd: 2, steps: 25 }
export const BUDGET_MOST = { usd: 100, steps: 200 }
/** Percent of the model's window from which the page says that a new thread is near. */
export const WINDOW_NEARLY_FULL = 80
/** px before a picture comes into sight at which it is fetched, so that who scrolls seldom waits. */
export const PICTURE_AHEAD_PX = 200
/** ms for which a button says that it copied: long enough to be seen, gone before it is pressed again. */
export const COPIED_MS = 2_000
