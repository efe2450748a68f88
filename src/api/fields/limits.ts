// The numbers of this folder: unit in the name, then reason and source.

/** Contract: visible ASCII. */
export const IDEMPOTENCY_KEY_MAX_CHARS = 255
/** Contract: pairs of metadata on a thread or request. */
export const METADATA_MAX_PAIRS = 16
export const METADATA_MAX_CHARS = 512
/** One entry of a request's context: a page's worth of text; more belongs into the message. */
export const CONTEXT_MAX_CHARS = 16_384
/** Tools and groups that a request chooses; more than a workspace can have switched on. */
export const TOOLS_NAMED_MAX = 300
/** Skills that one thread's allow-list names; above any real catalog's size. */
export const ALLOW_MAX_NAMES = 1_000
/** A title is one line in a list. */
export const TITLE_MAX_CHARS = 200
/** Entries on one page of a list, unless the request names another number. */
export const PAGE_DEFAULT = 20
/** Default limits of a run (promise 10); a request may lower or, up to the MAX, raise them. */
export const RUN_STEPS_MAX = 200
/** Default limits of a run (promise 10); a request may lower or, up to the MAX, raise them. */
export const RUN_TOKENS_MAX = 20_000_000
/** Default limits of a run (promise 10); a request may lower or, up to the MAX, raise them. */
export const RUN_USD_MAX = 100
/** Default limits of a run (promise 10); a request may lower or, up to the MAX, raise them. */
export const RUN_TOOL_CALLS_MAX = 1_000
/** Default limits of a run (promise 10); a request may lower or, up to the MAX, raise them. */
export const RUN_WALL_S_MAX = 7_200
/** Secrets that one chat request may bring. */
export const REQUEST_SECRETS_MAX = 16
/** Live versions that one rollback may go back; more are pinned by digest. */
export const ROLLBACK_MAX_STEPS = 1_000
