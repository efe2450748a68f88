// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/** Maximum length of an idempotency key, as defined in the contract. */
export const IDEMPOTENCY_KEY_MAX_CHARS = 255
/** Maximum number of metadata pairs of a thread or request, and maximum length of a value, as defined in the contract. */
export const METADATA_PAIRS_MAX = 16
export const METADATA_VALUE_MAX_CHARS = 512
/** Maximum length of one context entry of a request: a page of text. Longer text belongs in the message. */
export const CONTEXT_ENTRY_MAX_CHARS = 16_384
/** Maximum number of tools and groups that a request may name: more than a workspace can enable. */
export const TOOLS_NAMED_MAX = 300
/** Maximum number of skills in a thread's allow-list: more than any real catalog has. */
export const ALLOWED_SKILLS_MAX = 1_000
/** Maximum length of a thread's title, which is shown on one line of a list. */
export const TITLE_MAX_CHARS = 200
/** Default number of entries on a page of a list. */
export const PAGE_SIZE_DEFAULT = 20
/** Maximum limits of a run that a request may set (promise 10). The defaults are in src/limits/runs.ts. */
export const RUN_STEPS_MAX = 1_000
export const RUN_TOKENS_MAX = 20_000_000
export const RUN_USD_MAX = 100
export const RUN_TOOL_CALLS_MAX = 5_000
export const RUN_WALL_MAX_S = 28_800
export const RUN_RECOVERIES_MAX = 100
/** Maximum number of secrets in one chat request. */
export const REQUEST_SECRETS_MAX = 16
/** Maximum number of live versions that a rollback may go back. Older versions can be named by their digest. */
export const ROLLBACK_VERSIONS_MAX = 1_000
/** Maximum length of the user that a key, hook or schedule acts for: an id or e-mail address from the team's own system. */
export const USER_MAX_CHARS = 200
/** Maximum number of calls that a hook or schedule may allow without approval. */
export const ALLOWED_CALLS_MAX = 20
/** Maximum number of fields of an allowed call that may have any value, the same as in a tool definition. */
export const FREE_FIELDS_MAX = 50
