// Limits of this folder: unit in the name, then reason and source.

/** How long browsers cache a preflight response, which hardly ever changes. Chrome caps it at two hours. */
export const PREFLIGHT_S = 7_200
