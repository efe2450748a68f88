// The numbers of this folder: unit in the name, then reason and source.

/** Characters of one document that are searched for links: p99 of real ones is 77 KB. */
export const LINKS_SCAN_CHARS = 262_144
/** Documents of one skill whose links are checked: p99 of real skills has 67 files. */
export const LINKS_SCAN_FILES = 200
/** Findings on links of one skill; whoever has more fixes these first. */
export const LINKS_FINDINGS_MAX = 50
