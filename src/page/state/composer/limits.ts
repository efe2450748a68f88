// Limits of this folder.

/** Delay in ms between the last change of a draft and saving it. */
export const DRAFT_SAVE_DELAY_MS = 300
/** Maximum number of drafts stored in a browser. If there are more, the oldest are deleted. */
export const DRAFTS_MAX = 50
/** Maximum number of skills in the slash list. */
export const SLASH_MATCHES_MAX = 8
/** The server's default limits for a run, shown in the menu (docs/api/chat.md). */
export const BUDGET_DEFAULTS = { usd: 2, steps: 25 }
/** The highest limits for a run that the server accepts (docs/api/chat.md). */
export const BUDGET_MAX = { usd: 100, steps: 200 }
