// Limits of this folder.

/** ms after the last keystroke before a draft is saved. */
export const DRAFT_MS = 300
/** Drafts kept in a browser, the newest first. */
export const DRAFTS_KEPT = 50
/** Skills shown at once in the slash list. */
export const SLASH_SHOWN = 8
/** Default limits of a run in the menu, and the server's maximum of each (docs/api/chat.md). */
export const BUDGET_DEFAULTS = { usd: 2, steps: 25 }
export const BUDGET_MOST = { usd: 100, steps: 200 }
