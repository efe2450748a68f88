// The limits of this folder: unit in the name, then reason and source.

/** Timeout of one tool call, unless the tool sets another. */
export const TOOL_TIMEOUT_MS = 30_000
