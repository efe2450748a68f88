// Every number of skills:check, with unit and reason.

/** Scripts of a skill that would not run, and what one of them lacks: so many are shown, for hundreds of skills are checked at once. */
export const CHECK_SCRIPTS_SHOWN = 3
export const CHECK_LACKS_SHOWN = 4
