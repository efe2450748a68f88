// Numbers of this folder, with unit and reason.

/** Lines, and characters (code points), that a step shows of what went in or came out: two screens of it. */
export const STEP_LINES = 60
export const STEP_CHARS = 4_000
