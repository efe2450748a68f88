// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Minimum length of a secret. Shorter values occur in ordinary words, which would then be masked. */
export const SECRET_MIN_CHARS = 8
/**
 * Maximum number of special characters (other than letters and digits) in a value that is masked in all
 * spellings. A token has fewer than 20. A value with more special characters, such as a private key, is
 * masked only in three forms: as is, JSON-escaped and URL-encoded. With 220 special characters, 2 MB of text
 * that nearly matches took 50 s; with this limit it takes a second. The lower limit applies if special
 * characters make up more than a quarter of the value, as in a password.
 */
export const MASK_ALL_SPELLINGS_MAX_SIGNS = 64
export const MASK_ALL_SPELLINGS_DENSE_MAX_SIGNS = 48
/** Values of at least this length are masked in upper and lower case, because ordinary words are shorter. */
export const MASK_ANY_CASE_MIN_CHARS = 16
/**
 * Values of up to this length are masked even if their base64 form is split into lines. Each possible line end makes
 * the pattern longer: for 512 characters, compiling it takes 0.3 s.
 */
export const MASK_SPLIT_BASE64_MAX_CHARS = 200
