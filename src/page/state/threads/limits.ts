// Limits of this folder.

/** ms within which a deletion can be undone. The toast pauses while hovered or focused, as WCAG 2.2.1 requires. */
export const UNDO_MS = 5_000
/** Delay in ms between the last keystroke and the search. */
export const SEARCH_DELAY_MS = 200
/** Minimum time in ms between two refreshes when the tab becomes visible. */
export const REFRESH_INTERVAL_MIN_MS = 3_000
/** ms between refreshes while a thread in the list is running: the page receives no event when a thread that is not open ends. */
export const BUSY_POLL_MS = 5_000
