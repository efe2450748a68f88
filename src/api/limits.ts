// The numbers of this folder: unit in the name, then reason and source.

/** Browsers ask this seldom whether pages may ask; what they may is as good as fixed. Chrome keeps at most two hours. */
export const PREFLIGHT_S = 7_200
