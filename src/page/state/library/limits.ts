// Limits of this folder.

/** Time in ms for which the list of skills is considered up to date. */
export const SKILLS_FRESH_MS = 60_000
/**
 * Maximum number of pages of skills that are read: those of 20,000 skills, as many as a catalog can have, even if the server's
 * pages are shorter than requested.
 */
export const SKILL_PAGES_MAX = 210
/** Skills of each page after the first: the server's maximum. */
export const SKILLS_OF_LATER_PAGES = 1_000
/** Number of cards in an empty thread: few enough to read at a glance. */
export const SUGGESTED_SKILLS_MAX = 4
