// Limits of the Python runtime.

/** Total size of the files in memory that a job reads and writes. Larger files are read through a window (../wasm/limits.ts). */
export const PYTHON_FILES_MAX_BYTES = 16_777_216
/**
 * Maximum bytes that a script may pass to the standard input of a program that it starts, in one message of at most 32
 * MiB.
 */
export const PYTHON_CHILD_INPUT_MAX_BYTES = 16_777_216
/** Memory that scrypt may always use, in addition to the heap and the files. It may use more if these two use less. */
export const PYTHON_SCRYPT_BYTES = 17_825_792
