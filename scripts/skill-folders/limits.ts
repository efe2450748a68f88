// Limits of the walk through folders of skills. Comments give the reasons.

/** Maximum depth of the folders that are searched for skills. Real collections have up to 5 levels. */
export const SCAN_MAX_DEPTH = 8
/** Maximum number of folders in one search, or files in one skill. Real collections have fewer than 10,000 folders. */
export const SCAN_MAX_ENTRIES = 20_000
/** Maximum number of folders that are visited to count the skills in a folder that is left out. */
export const UNSEARCHED_FOLDERS_MAX = 2_000
