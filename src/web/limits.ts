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
/** Bytes of a skill's file that is shown; a longer one is downloaded. */
export const FILE_SHOWN_BYTES = 262_144
/** ms between two readings of the list when a tab is looked at again and again. */
export const LOOK_AGAIN_MS = 3_000
/** Characters of a thread's name: the server takes no more (TITLE_MAX_CHARS of src/limits.ts). */
export const TITLE_MAX = 200
/** Lines of the list of threads that are drawn at once, so that a list of thousands costs no more than one of these. */
export const ROWS_DRAWN = 100
/** Skills that an empty thread shows as ideas: what is read at a glance. */
export const IDEAS = 4
