// The numbers of this folder: unit in the name, then reason and source.

/** Shorter ones would be masked in ordinary words. */
export const SECRET_MIN_CHARS = 8
