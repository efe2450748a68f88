// The limits of this folder: unit in the name, then reason and source.

/**
 * Depth of JSON in a thread's rows: above any honest input, and far below the depth at which code after parsing
 * overflows the stack.
 */
export const STORED_MAX_DEPTH = 512
/** Tool names that a receipt lists: more than any thread has. Calls of made-up names are answered and counted, too. */
export const RECEIPT_TOOLS_MAX = 100
/** Forks that a thread lists, newest first; only scripts make more. */
export const BRANCHES_LISTED = 100
