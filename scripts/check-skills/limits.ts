// Limits of skills:check, with unit and reason.

/** Failing scripts shown for a skill, and missing things shown for a script: hundreds of skills are checked at once. */
export const CHECK_SCRIPTS_SHOWN = 3
export const CHECK_LACKS_SHOWN = 4
