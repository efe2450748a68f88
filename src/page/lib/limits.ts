// Limits used in lib/ or shared by several folders of the page.

/** Time in ms without data after which a connection counts as lost. The server sends a keep-alive every 15 s. */
export const STREAM_SILENCE_MAX_MS = 40_000
/** Pause in ms between attempts to reach the server. A restart takes about 5 s. The browser's `online` event triggers an attempt immediately. */
export const AWAY_RETRY_MS = 4_000
/** Maximum pause in ms between two updates of an answer. Even a slow device then shows new text several times a second. */
export const UPDATE_PAUSE_MAX_MS = 100
/** Time in ms after a key press without updates, except for one as soon as the key is shown. People type a key every 100 to 250 ms. */
export const TYPING_PAUSE_MS = 150
/** Time in ms until an update of a hidden page, which draws no frames. */
export const HIDDEN_UPDATE_MS = 100
/** Entries per page of a list: the server's maximum. */
export const PAGE_ENTRIES_MAX = 100
/** Maximum bytes of a file shown as text. Highlighting and tables stay fast up to this size. */
export const PREVIEW_MAX_BYTES = 524_288
/** Time in ms until the object URL of a download is released. The browser reads it immediately, so this is ample. */
export const DOWNLOAD_URL_LIFETIME_MS = 40_000
/** Time in ms for which a button shows "Copied". */
export const COPIED_LABEL_MS = 2_000
