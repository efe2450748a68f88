// The numbers of this folder: unit in the name, then reason and source.

/** An isolate has 128 MB, and 100 MB counted are a safe peak: 14 MB are the child and its image, so much is the heap ... */
export const NODE_HEAP_MAX_BYTES = 67_108_864
/** ... and so much are files, read and written together, that lie in memory at once; and what one archive may unpack to. */
export const NODE_FILES_MAX_BYTES = 16_777_216
/**
 * What the engine around QuickJS does for it in one go, in which nobody else is served: texts of so many characters are
 * ordered, formatted or cut into words (some 50 ms) ...
 */
export const NODE_INTL_MAX_CHARS = 200_000
/** ... addresses read (50 ms), which may hold a picture ... */
export const NODE_URL_MAX_CHARS = 2_097_152
/** ... and broken JSON described in Node's words; longer ones in QuickJS's. What is parsed for it is no guest's memory. */
export const NODE_JSON_MESSAGE_CHARS = 1_048_576
