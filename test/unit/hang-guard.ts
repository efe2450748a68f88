// The options of tests with hostile input: a timeout for work that never ends, not a measure of speed.

/**
 * Milliseconds. Such input takes some ten of them, or some hundred; work that grows with its square takes minutes. The
 * bound lies far from both, so that no busy machine fails the test. Speed is measured by `npm run bench`.
 */
export const HANG_GUARD = { timeout: 20_000 } as const
