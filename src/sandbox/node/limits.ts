// Limits of the Node runtime.

/**
 * Size of the heap. An isolate has 128 MB, of which 100 MB is a safe peak. The interpreter and its image take 14 MB, and
 * files take NODE_FILES_MAX_BYTES.
 */
export const NODE_HEAP_MAX_BYTES = 67_108_864
/** Total size of the files in memory that a job reads and writes, and the maximum size of an unpacked archive. */
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
