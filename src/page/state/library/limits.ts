// Numbers of this folder, with unit and reason.

/** ms for which the list of skills is taken as known. */
export const SKILLS_FRESH_MS = 60_000
/** Pages of skills: 10,000. */
export const SKILL_PAGES = 100
