// Limits of this folder.

/** Number of recent threads in the palette before anything is typed: what fits above the actions without scrolling. */
export const RECENT_THREADS_MAX = 5
/** Maximum number of threads found by title, so that skills and actions stay near. The server's results follow. */
export const TITLE_MATCHES_MAX = 5
/** Maximum number of skills. The library has the others. */
export const SKILLS_MAX = 5
/** Maximum number of characters shown before a match, so that it is in the first line on a phone. */
export const EXCERPT_BEFORE_CHARS = 24
