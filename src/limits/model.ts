// Numbers about model that several folders share: unit in the name, then reason and source.

/** Output asked for in one call at least: a budget that cannot pay for this ends the run. */
export const MODEL_MIN_TOKENS = 1_024
/** JSON of the API, tool input above all: deeper text cannot be written down, sent back or shown. Honest input nests to 10. */
export const MODEL_JSON_MAX_DEPTH = 64
