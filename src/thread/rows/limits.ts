// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/**
 * Maximum nesting depth of JSON in a thread's rows: more than any legitimate input needs, and far below the
 * depth at which code that walks the parsed value overflows the stack.
 */
export const STORED_JSON_MAX_DEPTH = 512
/**
 * Maximum number of tool names that a receipt lists: more than any thread has. A model may call tools with
 * invented names; these calls are refused, but they count, too.
 */
export const RECEIPT_TOOLS_MAX = 100
/** Maximum number of forks that a thread lists, newest first; only scripts create more. */
export const BRANCHES_LISTED_MAX = 100
