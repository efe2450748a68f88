// Limits of the local workerd.

/** Number of concurrent writes to the local stores. Measured writes per second: 297 with 4, 528 with 32, 513 with 128. */
export const PUSH_CONCURRENCY = 32
/**
 * Size of V8's semi-space for young objects in one isolate, in MB. The local workerd does not limit isolates, and V8
 * would let each of dozens use 3 × 16 MB before it collects garbage. With this limit, 8 busy shells and both pools use
 * 1.0 GB instead of 1.5.
 */
export const WORKERD_SEMI_SPACE_MB = 2
