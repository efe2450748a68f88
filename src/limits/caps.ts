// Limits of caps that several folders share. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/**
 * The smallest cap. A smaller one would stop every run: a call of a small model with Satchel's prompt costs about a cent, and
 * sends about 6,000 tokens.
 */
export const CAP_USD_MIN = 0.01
export const CAP_TOKENS_MIN = 10_000
export const CAP_RUNS_MIN = 1
/** The largest caps, whose micro-dollars and sums are exact numbers: more than any workspace spends in a month. */
export const CAP_USD_MAX = 1_000_000
export const CAP_TOKENS_MAX = 1_000_000_000_000
export const CAP_RUNS_MAX = 100_000_000
/** Maximum number of users, and of hooks and schedules, that have caps of their own: all are in one value of about 100 KB. */
export const CAP_NAMES_MAX = 500
/**
 * How long a run uses a lease without asking again: longer than most runs take. The workspace counts a lease as lost later, so
 * that both clocks may differ in speed.
 */
export const LEASE_MS = 3_600_000
/** The pause before a run asks again if the request failed: an object that is restarted, as by a deployment, is back by then. */
export const LEASE_RETRY_MS = 500
