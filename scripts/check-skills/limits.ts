// Limits of skills:check. Each name contains the unit; comments give the reason.

/** Scripts shown for a skill that would not run, and missing things shown for a script. Checks may have many skills. */
export const CHECK_SCRIPTS_SHOWN = 3
export const CHECK_LACKS_SHOWN = 4
