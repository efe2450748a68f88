// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Numbers of calls of one tool in one run at which the model is warned and stopped (same as DeerFlow). */
export const TOOL_CALLS_WARN_AT = 30
export const TOOL_CALLS_STOP_AT = 50
