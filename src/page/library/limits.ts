// Limits of this folder.

/** Number of skills suggested in an empty thread: few enough to read at a glance. */
export const SUGGESTED_SKILLS_MAX = 4
