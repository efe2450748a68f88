// Limits of this folder: unit in the name, then reason and source.

/** How long browsers may cache a preflight response, which hardly ever changes. Chrome's maximum is two hours. */
export const PREFLIGHT_S = 7_200
