// Limits of this folder.

/** ms for which the list of skills counts as fresh. */
export const SKILLS_FRESH_MS = 60_000
/** Pages of skills that are read: 10,000 skills. */
export const SKILL_PAGES = 100
