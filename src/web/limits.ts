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
/** Lines, and characters (code points), that a step shows of what went in or came out: two screens of it. */
export const STEP_LINES = 60
export const STEP_CHARS = 4_000
/** ms for which a button says that it copied: long enough to be seen, gone before it is pressed again. */
export const COPIED_MS = 2_000
/** Characters of a note with a denial or a rating; the server refuses more. */
export const NOTE_CHARS = 2_000
