// Limits of the questions that the model asks the user.

/** Maximum length of a question, and also of its context; short enough to read at a glance. */
export const QUESTION_MAX_CHARS = 2_000
/** Maximum number of options, and maximum length of an option (the limits of a DeerFlow form). */
export const QUESTION_OPTIONS_MAX = 24
export const QUESTION_OPTION_MAX_CHARS = 200
