// The numbers of this folder: unit in the name, then reason and source.

/** Text is made plain (NFKC) in pieces of this size: eighteen times as much at most. */
export const SCAN_NORMAL_CHARS = 16_384
/** Work of one parse, about a microsecond each: real code takes under four a character, hostile text a hundred. */
export const SCAN_PARSE_EFFORT = 50_000
export const SCAN_PARSE_EFFORT_PER_CHAR = 5
/** Symbols that are open at once: of 400 large scripts the deepest has 169; a level is three numbers in each stack. */
export const SCAN_PARSE_DEPTH_MAX = 600
/**
 * Nodes of one tree, of which each takes some 80 bytes with what is remembered of it: bundles of 0.7 million characters have
 * 425,000, and of 400 large scripts the densest has 0.82 a character. The slack is for small files.
 */
export const SCAN_PARSE_NODES_MAX = 600_000
export const SCAN_PARSE_NODES = 20_000
export const SCAN_PARSE_NODES_PER_CHAR = 1
/** Symbols that are copied where the grammar can be read in two ways: real code has at most a quarter a character. */
export const SCAN_PARSE_COPIED = 50_000
export const SCAN_PARSE_COPIED_PER_CHAR = 1
/**
 * Work of judging one parsed file, in listed children (0.02 µs each; a step of looking a name up counts 50): bundles of 0.7
 * million characters take up to 25 million.
 */
export const SCAN_JUDGE_MAX = 40_000_000
