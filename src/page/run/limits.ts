// Limits of this folder.

/** Maximum number of lines shown of a step's input or output: about two screens. */
export const STEP_LINES_MAX = 60
/** Maximum number of characters (code points) shown of a step's input or output. */
export const STEP_CHARS_MAX = 4_000
