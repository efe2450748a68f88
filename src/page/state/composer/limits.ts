// Numbers of this folder, with unit and reason.

/** ms after the last key before a draft is kept, so that typing writes nothing. */
export const DRAFT_MS = 300
/** Drafts that a browser keeps, the newest: more are forgotten ones. */
export const DRAFTS_KEPT = 50
/** Skills that the list behind a slash shows at once: what an eye takes in. */
export const SLASH_SHOWN = 8
/** Limits of a run that the menu offers, and the most that the server takes of each (docs/api/chat.md). */
export const BUDGET_DEFAULTS = { usd: 2, steps: 25 }
export const BUDGET_MOST = { usd: 100, steps: 200 }
