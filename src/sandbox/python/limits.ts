// Limits of the Python runtime.

/**
 * Size of the heap, of which the image takes 12 MB. An isolate has 128 MB, of which 100 MB is a safe peak. The
 * interpreter, its image and its library take 23 MB, and files take PYTHON_FILES_MAX_BYTES. A text of 20 MB fits, with
 * the bytes from which it is decoded.
 */
export const PYTHON_HEAP_MAX_BYTES = 58_720_256
/** Total size of the files in memory that a job reads and writes. Larger files are read through a window (../wasm/limits.ts). */
export const PYTHON_FILES_MAX_BYTES = 16_777_216
