// Limits of SQLite in the shell and in Python.

/** The memory of SQLite before it grows: the module's own minimum. */
export const SQLITE_INITIAL_BYTES = 8_388_608
/** Maximum memory of SQLite in the shell, where nothing else uses much. */
export const SQLITE_HEAP_MAX_BYTES = 67_108_864
/**
 * Maximum memory of SQLite in Python. Its growth counts toward Python's heap, because an isolate has 128 MB. A page
 * cache takes 2 MB of it.
 */
export const SQLITE_PYTHON_HEAP_MAX_BYTES = 25_165_824
/** Maximum size of a database in the shell, which is loaded completely. */
export const SQLITE_FILE_MAX_BYTES = 25_165_824
/** Steps between two calls of the host. */
export const SQLITE_QUANTUM = 65_536
