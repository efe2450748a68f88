// Limits of skills:check. Each name contains the unit; comments give the reason.

/** Scripts shown for a skill that would not run, and missing things shown for a script. Checks may have many skills. */
export const SHOWN_SCRIPTS_MAX = 3
export const SHOWN_LACKS_MAX = 4
