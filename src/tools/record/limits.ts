// The numbers of this folder: unit in the name, then reason and source.

/** How long one tool call may take, unless the tool says otherwise. */
export const TOOL_TIMEOUT_MS = 30_000
