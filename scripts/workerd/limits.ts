// Limits of the local workerd. Each name contains the unit; comments give the reason.

/** Concurrent writes to the local stores. More are not faster (measured: 4 make 297 a second, 32 528, 128 513). */
export const PUSH_CONCURRENCY = 32
/**
 * Size of V8's semi-space for young objects in one isolate, in MB. The local workerd does not limit isolates, and V8
 * would let each of dozens use 3 × 16 MB before it collects garbage. With this limit, 8 busy shells and both pools use
 * 1.0 GB instead of 1.5.
 */
export const WORKERD_SEMI_SPACE_MB = 2
