// The numbers of this folder: unit in the name, then reason and source.

/** JSON in a thread's rows: above any honest input, far below the depth at which what comes after parsing overflows. */
export const STORED_MAX_DEPTH = 512
/** Names of tools that a receipt lists: more than any thread is given; calls of made-up names are answered and counted, too. */
export const RECEIPT_TOOLS_MAX = 100
/** Forks that a thread tells of, the newest; more were tried out by a script. */
export const BRANCHES_LISTED = 100
