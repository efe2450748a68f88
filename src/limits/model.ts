// Limits of models that several folders share: unit in the name, then reason and source.

/** The least output requested in one call: a budget that cannot pay for this ends the run. */
export const MODEL_MIN_TOKENS = 1_024
/** JSON depth of the API, mainly tool input: deeper text cannot be stored, sent back or shown. Real input nests to 10. */
export const MODEL_JSON_MAX_DEPTH = 64
