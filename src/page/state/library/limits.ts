// Limits of this folder.

/** Time in ms for which the list of skills is considered up to date. */
export const SKILLS_FRESH_MS = 60_000
/** Maximum number of pages of skills that are read: 10,000 skills. */
export const SKILL_PAGES_MAX = 100
/** Number of cards in an empty thread: few enough to read at a glance. */
export const SUGGESTED_SKILLS_MAX = 4
