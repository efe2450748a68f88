// Limits of the local workerd, with unit and reason.

/**
 * Concurrent writes to the local stores: workerd gains nothing beyond this (measured: 4 → 297 a second, 32 → 528,
 * 128 → 513).
 */
export const PUSH_CONCURRENCY = 32
/**
 * V8's half-space for young objects of one isolate. The local workerd does not limit isolates, and V8 would let
 * each of dozens use 3 × 16 MB before it collects: 8 busy shells and both pools hold 1.0 GB instead of 1.5.
 */
export const WORKERD_YOUNG_MB = 2
