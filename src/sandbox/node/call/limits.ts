// Limits of the Node runtime.

/**
 * Total size of the files in memory that a job reads and writes, and the maximum size of an unpacked archive. Larger
 * files are read through a window (../wasm/limits.ts).
 */
export const NODE_FILES_MAX_BYTES = 16_777_216
/**
 * Maximum length of a text that the host engine sorts, formats or splits into words for QuickJS. It cannot yield during
 * this work, which takes about 50 ms.
 */
export const NODE_INTL_MAX_CHARS = 200_000
/** Maximum length of a URL that the host engine parses in about 50 ms. A URL may contain an image. */
export const NODE_URL_MAX_CHARS = 2_097_152
/**
 * Maximum length of invalid JSON whose error has Node's message. For longer texts the error has the message of QuickJS,
 * because the host engine has to parse the text again, which needs memory.
 */
export const NODE_JSON_MESSAGE_CHARS = 1_048_576
/** Maximum number of unfinished digests, ciphers, keys and compressing streams of one kind: each takes up to 300 KB. */
export const NODE_HANDLES_MAX = 200
/**
 * Maximum length of a digest (`outputLength`) and of a derived key (`keylen`). The host has it in memory beside the heap,
 * like the files.
 */
export const NODE_DERIVED_MAX_BYTES = 16_777_216
/** How much HKDF and WebCrypto read in one call of the platform, which takes up to 20 ms. */
export const NODE_PLATFORM_INPUT_MAX_BYTES = 16_777_216
/** Maximum size of an RSA key, whose operations take up to 20 ms. */
export const NODE_RSA_MAX_BITS = 4_096
/** Maximum size of a new RSA key. Finding one of this size usually takes 50 to 150 ms, during which nothing else runs. */
export const NODE_RSA_NEW_MAX_BITS = 2_048
/** Rounds of PBKDF2 in an encrypted key that is read, which take about 50 ms. The platform's own limit for PBKDF2. */
export const NODE_KEY_ROUNDS_MAX = 100_000
/** How many bytes Brotli compresses with its best quality, which takes up to 60 ms without a pause. */
export const NODE_BROTLI_BEST_MAX_BYTES = 65_536
/**
 * Memory that scrypt may always use, beside the heap and the files: a little more than with Node's default parameters. It
 * may use more if these two use less.
 */
export const NODE_SCRYPT_BYTES = 17_825_792
