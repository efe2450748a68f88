// Limits of the Python runtime.

/** Total size of the files in memory that a job reads and writes. Larger files are read through a window (../wasm/limits.ts). */
export const PYTHON_FILES_MAX_BYTES = 16_777_216
