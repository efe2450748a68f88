// The limits of this folder: unit in the name, then reason and source.

/** A question, and its context: short enough to read at a glance. */
export const QUESTION_MAX_CHARS = 2_000
/** DeerFlow's limits of a form. */
export const QUESTION_OPTIONS_MAX = 24
export const QUESTION_OPTION_MAX_CHARS = 200
