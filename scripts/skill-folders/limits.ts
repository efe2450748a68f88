// Limits of the walk through folders of skills. Each name contains the unit; comments give the reason.

/** Levels of folders that are searched for skills. Real collections have up to 5. */
export const SCAN_MAX_DEPTH = 8
/** Folders visited in one search, or files checked in one skill. Real collections have fewer than 10,000 folders. */
export const SCAN_MAX_ENTRIES = 20_000
/** Folders visited to count the skills in a folder that is left out. */
export const UNSEARCHED_FOLDERS_MAX = 2_000
