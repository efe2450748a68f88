// Limits of this folder.

/** ms in which a deletion can be undone. WCAG 2.2.1 also asks for a pause on hover or focus. */
export const UNDO_MS = 5_000
/** ms after the last keystroke before threads are searched. */
export const SEARCH_MS = 200
/** Minimum ms between two refreshes when the tab becomes visible. */
export const LOOK_AGAIN_MS = 3_000
/** ms between two refreshes while the list shows a running thread: no event reports the end of one that is not open. */
export const BUSY_LOOK_MS = 5_000
