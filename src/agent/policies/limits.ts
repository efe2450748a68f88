// The numbers of this folder: unit in the name, then reason and source.

/** Calls of one tool in one run: DeerFlow's frequency limits. */
export const TOOL_FREQUENCY_WARN = 30
export const TOOL_FREQUENCY_STOP = 50
