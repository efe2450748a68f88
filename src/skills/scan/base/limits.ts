// Limits of the scan. A name ends in its unit; a name without a unit limits a number. Each comment gives the
// reason or the source.

/** Matches of one rule in one file that are reported individually. One more finding says how many were omitted. */
export const SCAN_LISTED_MATCHES_MAX = 20
/**
 * Matches of one rule in one file after which counting stops, because a file may consist entirely of matches.
 */
export const SCAN_COUNTED_MATCHES_MAX = 1_000
/**
 * Pieces of text in one skill to which all text rules are applied. Beyond this, only rules for errors are
 * applied. Real skills have fewer than 2,000 pieces.
 */
export const SCAN_PIECES_MAX = 20_000
/** Maximum number of findings for one skill. Errors take precedence. */
export const SCAN_FINDINGS_MAX = 200
/**
 * Lines are matched in pieces of this size, so that a file with one long line costs no more than a file with
 * many lines.
 */
export const SCAN_PIECE_CHARS = 2_048
/**
 * Maximum length of a shell line whose pipes are followed across the whole line; a longer line is split.
 * Installers have fewer than 4,000 characters in a line.
 */
export const SCAN_LINE_MAX_CHARS = 32_768
/**
 * Characters of code that are parsed in one file and in one skill, at about 4 per microsecond. The bundled
 * scripts have up to 0.7 million.
 */
export const SCAN_CODE_MAX_CHARS = 1_000_000
export const SCAN_CODE_TOTAL_MAX_CHARS = 2_000_000
/**
 * Code blocks that are parsed in one skill; blocks without any relevant name do not count. Real skills have
 * fewer than 200.
 */
export const SCAN_CODE_BLOCKS_MAX = 256
/** Members of a nested archive whose first bytes are checked, and bytes that are decompressed for these checks. */
export const SCAN_NESTED_MEMBERS_MAX = 256
export const SCAN_NESTED_BYTES_MAX = 4_194_304
