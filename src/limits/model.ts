// Limits of models that several folders share. Each name contains the unit; comments give the reason and the source.

/** Minimum output tokens requested in one call. A budget that does not cover them ends the run. */
export const MODEL_MIN_TOKENS = 1_024
/** Levels of nesting in JSON from the API. Deeper JSON could not be stored or shown. Real tool input has up to 10. */
export const MODEL_JSON_MAX_DEPTH = 64
