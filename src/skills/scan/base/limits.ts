// The numbers of this folder: unit in the name, then reason and source.

/** Matches of one rule in one file that are reported one by one; one more finding counts the others. */
export const SCAN_MATCHES_MAX = 20
/** Matches of one rule in one file that are counted at all: a file may consist of nothing else. */
export const SCAN_COUNTED_MAX = 1_000
/**
 * Lines of one skill in which all text rules are tried; real skills have under 2,000 with a hit. Beyond that only
 * errors.
 */
export const SCAN_PIECES_MAX = 20_000
/** Findings of one skill. Errors are kept first. */
export const SCAN_FINDINGS_MAX = 200
/** Lines are matched in pieces of this size, so that a file of one line costs no more than one of many. */
export const SCAN_PIECE_CHARS = 2_048
/**
 * Characters of a shell line whose pipes are followed as a whole; a longer line is split. Installers have under 4,000.
 */
export const SCAN_LINE_CHARS = 32_768
/**
 * Characters of code parsed in one file and in one skill: about 4 per microsecond. Bundled scripts have up to 0.7
 * million.
 */
export const SCAN_CODE_MAX_CHARS = 1_000_000
export const SCAN_CODE_TOTAL_CHARS = 2_000_000
/** Code fences parsed in one skill, of those that mention a subject of the rules. Real skills have under 200. */
export const SCAN_EXCERPTS_MAX = 256
/**
 * Members of a nested archive that are checked, and bytes decompressed for that (a member's first bytes tell its kind).
 */
export const SCAN_NESTED_MEMBERS_MAX = 256
export const SCAN_NESTED_BYTES_MAX = 4_194_304
