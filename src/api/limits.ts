// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** How long browsers may cache a preflight response, which hardly ever changes. Chrome's maximum is two hours. */
export const PREFLIGHT_CACHE_S = 7_200
