// The numbers of this folder: unit in the name, then reason and source.

/** Characters normalized (NFKC) at once. They may grow eighteenfold. */
export const SCAN_NORMAL_CHARS = 16_384
/** Work of one parse, about a microsecond each: real code takes under four a character, hostile text a hundred. */
export const SCAN_PARSE_EFFORT = 50_000
export const SCAN_PARSE_EFFORT_PER_CHAR = 5
/** Open symbols: of 400 large scripts the deepest has 169. A level takes three numbers in each stack. */
export const SCAN_PARSE_DEPTH_MAX = 600
/**
 * Nodes of one tree, about 80 bytes each with cached data. Bundles of 0.7 million characters have 425,000, and the
 * densest of 400 large scripts has 0.82 a character. The rest is slack for small files.
 */
export const SCAN_PARSE_NODES_MAX = 600_000
export const SCAN_PARSE_NODES = 20_000
export const SCAN_PARSE_NODES_PER_CHAR = 1
/** Symbols copied where the grammar is ambiguous: real code has at most a quarter per character. */
export const SCAN_PARSE_COPIED = 50_000
export const SCAN_PARSE_COPIED_PER_CHAR = 1
/**
 * Work to judge one parsed file, in listed children (0.02 µs each; a name look-up step counts 50). Bundles of 0.7
 * million characters take up to 25 million.
 */
export const SCAN_JUDGE_MAX = 40_000_000
