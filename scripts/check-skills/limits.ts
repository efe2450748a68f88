// Limits of the output of skills:check, which may cover many skills.

/** Maximum number of scripts that are shown for each skill, and of missing features that are shown for each script. */
export const SHOWN_SCRIPTS_MAX = 3
export const SHOWN_LACKS_MAX = 4
