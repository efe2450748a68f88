// The options of tests with hostile input: a timeout for work that never ends, not a measure of speed.

/**
 * Milliseconds. Such input usually takes ten to a few hundred milliseconds; quadratic work takes minutes. The timeout
 * is far from both, so that no busy machine fails the test. `npm run bench` measures speed.
 */
export const HANG_GUARD = { timeout: 180_000 } as const
