// The limits of this folder: unit in the name, then reason and source.

/**
 * Attempts before an approved call is refused because another object does not respond, and the first wait
 * between them. Each wait is twice as long as the one before: seven seconds in total, which is how long
 * moving an object takes.
 */
export const APPROVED_ATTEMPTS_MAX = 4
export const APPROVED_RETRY_MS = 1_000
/** An approval request without an answer is denied after this time (contract). */
export const APPROVAL_MS = 7 * 24 * 3_600_000
/**
 * Inputs with longer JSON are left out of lists of approvals, because the workspace stores a copy of each
 * row.
 */
export const APPROVAL_INPUT_CHARS = 8_000
/** Timeout of the guardrail; each call waits for it. */
export const GUARDRAIL_TIMEOUT_MS = 5_000
export const GUARDRAIL_ANSWER_MAX_BYTES = 16_384
/** Maximum length of a guardrail's reason. */
export const GUARDRAIL_REASON_MAX_CHARS = 500
/**
 * A person's message longer than this probably contains pasted text, which may be private. A typical question
 * has a few hundred characters.
 */
export const PRIVATE_TEXT_CHARS = 2_000
