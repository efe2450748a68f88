// Every number of the local workerd, with unit and reason.

/** Writes to the local stores at once: workerd gains nothing past this (measured: 4 → 297 a second, 32 → 528, 128 → 513). */
export const PUSH_CONCURRENCY = 32
/**
 * V8's half-space for young objects of one isolate. The local workerd bounds no isolate, and V8 would let each of the dozens
 * that commands and local stores are take 3 × 16 MB before it collects: 8 busy shells and both pools hold 1.0 GB instead of 1.5.
 */
export const WORKERD_YOUNG_MB = 2
