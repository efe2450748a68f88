// Limits of the Python runtime.

/**
 * Size of the heap, of which the image takes 12 MB. An isolate has 128 MB, of which 100 MB is a safe peak. The
 * interpreter, its image and its library take 23 MB, and files take PYTHON_FILES_MAX_BYTES.
 */
export const PYTHON_HEAP_MAX_BYTES = 52_428_800
/** Total size of the files in memory that a job reads and writes. */
export const PYTHON_FILES_MAX_BYTES = 23_068_672
