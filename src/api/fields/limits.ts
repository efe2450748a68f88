// Limits of this folder: unit in the name, then reason and source.

/** Length of an idempotency key, as the contract defines it. */
export const IDEMPOTENCY_KEY_MAX_CHARS = 255
/** Number of metadata pairs of a thread or request, as the contract defines it. */
export const METADATA_MAX_PAIRS = 16
export const METADATA_MAX_CHARS = 512
/** Length of one context entry of a request: a page of text. Longer text belongs in the message. */
export const CONTEXT_MAX_CHARS = 16_384
/** Number of tools and groups that a request may name: more than a workspace can enable. */
export const TOOLS_NAMED_MAX = 300
/** Number of skills in a thread's allow-list: more than any real catalog has. */
export const ALLOW_MAX_NAMES = 1_000
/** Length of a thread's title, which is shown on one line of a list. */
export const TITLE_MAX_CHARS = 200
/** Default number of entries on a page of a list. */
export const PAGE_DEFAULT = 20
/** Default and maximum limits of a run (promise 10). A request may lower them, or raise them up to the MAX. */
export const RUN_STEPS_MAX = 200
/** Default and maximum limits of a run (promise 10). A request may lower them, or raise them up to the MAX. */
export const RUN_TOKENS_MAX = 20_000_000
/** Default and maximum limits of a run (promise 10). A request may lower them, or raise them up to the MAX. */
export const RUN_USD_MAX = 100
/** Default and maximum limits of a run (promise 10). A request may lower them, or raise them up to the MAX. */
export const RUN_TOOL_CALLS_MAX = 1_000
/** Default and maximum limits of a run (promise 10). A request may lower them, or raise them up to the MAX. */
export const RUN_WALL_S_MAX = 7_200
/** Number of secrets in one chat request. */
export const REQUEST_SECRETS_MAX = 16
/** Number of live versions that a rollback may go back. Name an older version by its digest. */
export const ROLLBACK_MAX_STEPS = 1_000
