// Limits of this folder.

/** Time in ms during which a deletion can be undone. The toast pauses while hovered or focused, as WCAG 2.2.1 requires. */
export const UNDO_MS = 5_000
/** Delay in ms between the last keystroke and the search. */
export const SEARCH_DELAY_MS = 200
/** Minimum time in ms between two refreshes when the tab becomes visible. */
export const REFRESH_INTERVAL_MIN_MS = 3_000
/** Pause in ms between refreshes while a listed thread is running: the page receives no event when a run of another thread ends. */
export const BUSY_POLL_MS = 5_000
/** Pause in ms between refreshes while the browser shows notifications: threads of other tabs and machines may need the user. */
export const NOTIFYING_POLL_MS = 60_000
/** Number of threads whose last viewed branch is remembered. A record has about 80 bytes. */
export const LAST_VIEWED_MAX = 500
