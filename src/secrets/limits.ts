// The limits of this folder. Each name contains the unit; comments give the reason and the source.

/** Minimum length of a secret. Shorter values occur in ordinary words, which would then be masked. */
export const SECRET_MIN_CHARS = 8
/**
 * Characters other than letters and digits up to which a value is masked in all spellings. A token has fewer than 20.
 * A value with more, such as a private key, is masked only as written, in JSON and in URLs: with 220 such characters,
 * 2 MB of text that nearly matches took 50 s; with this limit it takes a second. The lower limit applies if they are
 * more than a quarter of the value, as in a password.
 */
export const MASK_SIGNS_MAX = 64
export const MASK_DENSE_SIGNS_MAX = 48
/** Values of at least this length are masked in upper and lower case, because ordinary words are shorter. */
export const MASK_ANY_CASE_MIN_CHARS = 16
/**
 * Values of up to this length are masked even if their base64 form is split into lines. Each possible line end makes
 * the pattern longer: for 512 characters, compiling it takes 0.3 s.
 */
export const MASK_LINES_MAX_CHARS = 200
