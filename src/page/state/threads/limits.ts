// Numbers of this folder, with unit and reason.

/** ms in which a deletion can be undone (issue 12; WCAG 2.2.1 asks for a pause on hover or focus besides). */
export const UNDO_MS = 5_000
/** ms after the last key before threads are searched: a typist's pause. */
export const SEARCH_MS = 200
/** ms between two readings of the list when a tab is looked at again and again. */
export const LOOK_AGAIN_MS = 3_000
/** ms between two readings of the list while it shows a thread as being answered: nothing tells of one that is not open. */
export const BUSY_LOOK_MS = 5_000
