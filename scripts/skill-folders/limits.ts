// Every number of the walk through folders of skills, with unit and reason.

/** Bounds of the walk that looks for skills: real collections nest to 5 and hold under 10,000 folders of skills. */
export const SCAN_MAX_DEPTH = 8
/** Folders visited in one walk, or files of one skill looked at. */
export const SCAN_MAX_ENTRIES = 20_000
/** Folders looked through in one that is left out, to count the skills in it: what is hidden there is most often not ours. */
export const UNSEEN_MAX_FOLDERS = 2_000
