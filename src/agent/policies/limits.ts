// Limits of this folder: unit in the name, then reason and source.

/** Numbers of calls of one tool in one run at which the model is warned and stopped (same as DeerFlow). */
export const TOOL_FREQUENCY_WARN = 30
export const TOOL_FREQUENCY_STOP = 50
