// The limits of this folder. Each name ends in its unit, or has no unit if it is a count. Comments give reason and source.

/**
 * Number of attempts before an approved call is refused because another object does not respond, and the first wait
 * between attempts. Each wait is twice as long as the previous wait. The total of seven seconds is how long the
 * platform takes to move an object.
 */
export const APPROVED_CALL_ATTEMPTS_MAX = 4
export const APPROVED_CALL_RETRY_MS = 1_000
/** An approval request without an answer is denied after this time (contract). */
export const APPROVAL_EXPIRY_MS = 7 * 24 * 3_600_000
/**
 * Inputs whose JSON is longer are left out of lists of approvals, because the workspace stores a copy of each
 * listed call.
 */
export const APPROVAL_INPUT_MAX_CHARS = 8_000
/** Timeout of a request to the guardrail, which delays the call. */
export const GUARDRAIL_TIMEOUT_MS = 5_000
/** Maximum size of a guardrail's response. */
export const GUARDRAIL_ANSWER_MAX_BYTES = 16_384
/** Maximum length of a guardrail's reason. */
export const GUARDRAIL_REASON_MAX_CHARS = 500
/**
 * A message from a person that is longer than this probably contains pasted text, which may be private. A typical question
 * has a few hundred characters.
 */
export const PRIVATE_TEXT_MIN_CHARS = 2_000
