// Limits of this folder.

/** Time in ms for which a toast is shown by default: enough to read 20 words. */
export const TOAST_MS = 6_000
/** Width of the side bar in rem: `--side-chosen` in styles/tokens.css. */
export const SIDE_WIDTH_REM = 17
/** Minimum width in rem: the longest link with its count or shortcut fits. */
export const SIDE_WIDTH_MIN_REM = 13
/** Maximum width in rem: most titles fit. The style sheet also limits it to a part of the window. */
export const SIDE_WIDTH_MAX_REM = 28
