// Limits of the walk through folders of skills, with unit and reason.

/** The depth of the search for skills: real collections have up to 5 levels and fewer than 10,000 folders. */
export const SCAN_MAX_DEPTH = 8
/** Folders visited in one walk, or files checked in one skill. */
export const SCAN_MAX_ENTRIES = 20_000
/** Folders searched in one that is left out, to count its skills: hidden ones are rarely the user's own. */
export const UNSEEN_MAX_FOLDERS = 2_000
