// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** The part of the allowed calls of one tool after which the model is warned: 30 of 50, as in DeerFlow. */
export const TOOL_CALLS_WARN_FRACTION = 0.6
