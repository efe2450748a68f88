// Limits of this folder: unit in the name, then reason and source.

/** Shorter ones would be masked in ordinary words. */
export const SECRET_MIN_CHARS = 8
/**
 * Characters other than letters and digits that are matched in all spellings: a token has under 20. A value with more, such as a
 * private key, is masked as it is, in JSON and in URLs: with 220 of them 2 MB of text that nearly matches took 50 s, with this
 * limit a second. If they are more than a quarter, as in a password, fewer.
 */
export const MASK_SIGNS_MAX = 64
export const MASK_DENSE_SIGNS_MAX = 48
/** Values of this length are masked whatever the case of their letters: no ordinary word is as long. */
export const MASK_ANY_CASE_MIN_CHARS = 16
/** Of longer values base64 is looked for on one line alone: each place where a line may end makes the pattern longer (512 characters: 0.3 s to compile). */
export const MASK_LINES_MAX_CHARS = 200
