// Limits of the Node runtime. Each name contains the unit.

/** The heap. An isolate has 128 MB, of which 100 MB is a safe peak: 14 MB are the child and its image ... */
export const NODE_HEAP_MAX_BYTES = 67_108_864
/**
 * ... and this much is for files in memory, read and written together; also the limit for an unpacked
 * archive.
 */
export const NODE_FILES_MAX_BYTES = 16_777_216
/**
 * Work that the host engine does for QuickJS without yielding: characters that are sorted, formatted or split
 * into words (some 50 ms) ...
 */
export const NODE_INTL_MAX_CHARS = 200_000
/** ... characters of a URL to parse (50 ms), which may contain an image ... */
export const NODE_URL_MAX_CHARS = 2_097_152
/**
 * ... and characters of invalid JSON whose error uses Node's message; longer texts keep QuickJS's. Parsing
 * for it uses host memory.
 */
export const NODE_JSON_MESSAGE_CHARS = 1_048_576
