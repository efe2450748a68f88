// Limits of SQLite in the shell and in Python.

/** The memory of SQLite before it grows: the module's own minimum. */
export const SQLITE_INITIAL_BYTES = 8_388_608
/** What the memory of SQLite may grow to in the shell, where it is the only large part. */
export const SQLITE_HEAP_MAX_BYTES = 67_108_864
/**
 * What the memory of SQLite may grow to in Python. Its growth counts toward Python's heap, which ends at 128 MB per
 * isolate. A page cache takes 2 MB of it.
 */
export const SQLITE_PYTHON_HEAP_MAX_BYTES = 25_165_824
/** Size of a database of the shell, which is held whole. */
export const SQLITE_FILE_MAX_BYTES = 25_165_824
/** Steps between two calls of the host. */
export const SQLITE_QUANTUM = 65_536
