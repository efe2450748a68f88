// The limits of this folder: unit in the name, then reason and source.

/**
 * Maximum nesting depth of JSON in a thread's rows: more than any legitimate input needs, and far below the
 * depth at which code that walks the parsed value overflows the stack.
 */
export const STORED_MAX_DEPTH = 512
/**
 * Maximum number of tool names that a receipt lists: more than any thread has. A model may call tools with
 * invented names; these calls are refused, but they count, too.
 */
export const RECEIPT_TOOLS_MAX = 100
/** Maximum number of forks that a thread lists, newest first; only scripts create more. */
export const BRANCHES_LISTED = 100
