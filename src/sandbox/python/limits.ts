// Limits of the Python runtime. Each name contains the unit.

/**
 * The heap. An isolate has 128 MB, of which 100 MB is a safe peak: 23 MB are the interpreter, its image and
 * its library. The image takes 12 MB of the heap ...
 */
export const PYTHON_HEAP_MAX_BYTES = 52_428_800
/** ... and this much is for files in memory, read and written together. */
export const PYTHON_FILES_MAX_BYTES = 23_068_672
