// The numbers of this folder: unit in the name, then reason and source.

/** How often others are asked before a call that a person said yes to is refused, and after which time first; each
 * time twice as long: seven seconds in all, as an object that is moved takes. */
export const APPROVED_TRIES = 4
export const APPROVED_TRY_MS = 1_000
/** A request for approval that nobody answers is refused after this (contract). */
export const APPROVAL_MS = 7 * 24 * 3_600_000
/** An input whose JSON is longer is left out of lists of approvals: each of its rows is held by the workspace, too. */
export const APPROVAL_INPUT_CHARS = 8_000
/** What is asked before each call: a person waits meanwhile. */
export const GUARDRAIL_TIMEOUT_MS = 5_000
export const GUARDRAIL_ANSWER_MAX_BYTES = 16_384
/** Of an input that is sent to it. */
export const GUARDRAIL_REASON_MAX_CHARS = 500
/** A person's message that is longer holds pasted text, which may be private. A question has some hundred characters. */
export const PRIVATE_TEXT_CHARS = 2_000
