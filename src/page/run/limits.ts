// Limits of this folder.

/** Lines, and characters (code points), of a step's input or output that are shown: two screens. */
export const STEP_LINES = 60
export const STEP_CHARS = 4_000
