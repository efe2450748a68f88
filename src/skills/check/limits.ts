// Limits of this folder. Names end in the unit; a name without a unit is a count. Comments give the reason and the source.

/** Characters of one document that are searched for links. The p99 of real documents is 77 KB. */
export const LINKS_SCAN_MAX_CHARS = 262_144
/** Documents of one skill whose links are checked. The p99 of real skills is 67 files. */
export const LINKS_SCAN_FILES_MAX = 200
/** Findings about links in one skill. An author who has more can fix these first. */
export const LINKS_FINDINGS_MAX = 50
