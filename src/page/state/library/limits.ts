// Numbers of this folder, with unit and reason.

/** ms for which the list of skills is taken as known. */
export const SKILLS_FRESH_MS = 60_000
