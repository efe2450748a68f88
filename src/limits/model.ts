// Limits of models that several folders share. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Minimum output tokens requested in one call. A budget that does not cover them ends the run. */
export const MODEL_MIN_TOKENS = 1_024
/** Maximum nesting depth of JSON from the API. Deeper JSON could not be stored or shown. Real tool input has up to 10 levels. */
export const MODEL_JSON_MAX_DEPTH = 64
/**
 * Maximum number of output tokens requested in one call, and its maximum share of the model's window. The budget may lower
 * it, but not below MODEL_MIN_TOKENS.
 */
export const MODEL_OUTPUT_MAX_TOKENS = 16_000
export const MODEL_OUTPUT_SHARE = 0.2
