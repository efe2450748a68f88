// The numbers of this folder: unit in the name, then reason and source.

/** Matches of one rule in one file that are told apart; the rest is counted in one more finding. */
export const SCAN_MATCHES_MAX = 20
/** Matches of one rule in one file that are counted at all: a file may consist of nothing else. */
export const SCAN_COUNTED_MAX = 1_000
/** Lines of one skill in which every rule of text is tried; real skills have under 2,000 with a hit. Then errors only. */
export const SCAN_PIECES_MAX = 20_000
/** Findings of one skill: more help nobody. Errors are kept first. */
export const SCAN_FINDINGS_MAX = 200
/** A line is looked at in pieces of this size, so that a file of one line costs no more than one of many. */
export const SCAN_PIECE_CHARS = 2_048
/** A line of shell is followed through its pipes whole up to this, a longer one in pieces; installers have under 4,000. */
export const SCAN_LINE_CHARS = 32_768
/** Code parsed in one file and in one skill, in characters: about 4 per microsecond; bundled scripts have up to 0.7 million. */
export const SCAN_CODE_MAX_CHARS = 1_000_000
export const SCAN_CODE_TOTAL_CHARS = 2_000_000
/** Fences of documents in one skill that are parsed, of those that name what a rule is about; real skills have under 200. */
export const SCAN_EXCERPTS_MAX = 256
/** Members of a nested archive that are looked at, and bytes inflated for that (a member's first bytes tell its kind). */
export const SCAN_NESTED_MEMBERS_MAX = 256
export const SCAN_NESTED_BYTES_MAX = 4_194_304
