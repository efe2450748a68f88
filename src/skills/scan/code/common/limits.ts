// Limits on parsing and checking code. Each comment gives the unit, and the reason or the source.

/** Characters that are normalized (NFKC) at a time. The result may be eighteen times as long. */
export const SCAN_NORMALIZED_PIECE_CHARS = 16_384
/**
 * Maximum work of one parse, in microseconds (approximately). Real code takes less than 4 per character,
 * hostile text up to 100.
 */
export const SCAN_PARSE_BASE_US = 50_000
export const SCAN_PARSE_US_PER_CHAR = 5
/**
 * Maximum number of open symbols, each of which takes three numbers in each stack. Among 400 large scripts,
 * the maximum is 169.
 */
export const SCAN_PARSE_DEPTH_MAX = 600
/**
 * Maximum number of nodes in one tree, of about 80 bytes each including cached data. Bundles of 0.7 million
 * characters have 425,000 nodes, and the densest of 400 large scripts has 0.82 per character. Small files get
 * a fixed allowance.
 */
export const SCAN_PARSE_NODES_MAX = 600_000
export const SCAN_PARSE_BASE_NODES = 20_000
export const SCAN_PARSE_NODES_PER_CHAR = 1
/**
 * Maximum number of symbols that are copied where the grammar is ambiguous. Real code needs at most 0.25 per
 * character.
 */
export const SCAN_PARSE_BASE_COPIES = 50_000
export const SCAN_PARSE_COPIES_PER_CHAR = 1
/**
 * Maximum work to check one parsed file. The unit is listing one child (0.02 µs); one step of a name look-up
 * counts as 50. Bundles of 0.7 million characters take up to 25 million.
 */
export const SCAN_CHECK_WORK_MAX = 40_000_000
