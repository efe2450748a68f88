// Limits that apply to all tools.

/** Default timeout of one tool call. */
export const TOOL_TIMEOUT_MS = 30_000
