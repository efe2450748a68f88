// The numbers of this folder: unit in the name, then reason and source.

/** Shorter ones would be masked in ordinary words. */
export const SECRET_MIN_CHARS = 8
/** Characters that are no letter or digit, each of which is looked for in all its spellings: a private key of 4,096 bits has
 * some 150. Where they are more than a quarter, as in a password, fewer: a row of signs alone would cost seconds. */
export const MASK_SIGNS_MAX = 256
export const MASK_DENSE_SIGNS_MAX = 48
