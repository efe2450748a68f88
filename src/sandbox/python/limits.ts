// The numbers of this folder: unit in the name, then reason and source.

/**
 * An isolate has 128 MB, and 100 MB counted are a safe peak: 23 MB are the interpreter, its image and its library, so much
 * is the heap (12 MB of it the image) ...
 */
export const PYTHON_HEAP_MAX_BYTES = 52_428_800
/** ... and so much are files, read and written together, that lie in memory at once. */
export const PYTHON_FILES_MAX_BYTES = 23_068_672
