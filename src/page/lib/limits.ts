// Numbers that several folders of the page use, or that those of lib/ do, with unit and reason.

/** ms. The server shows life every 15 s: a whole span of this without a byte means that the line is dead. */
export const SILENCE_MS = 40_000
/** ms between tries to reach a server that is away; a restart takes about 5 s. The browser's word that it is online tries at once. */
export const AWAY_RETRY_MS = 4_000
/** Entries that a page of a list asks for: the most that the server gives. */
export const PAGE_ENTRIES = 100
/** Bytes of a file that the panel shows as text; the rest is in the download. Highlighting and tables stay quick up to it. */
export const PREVIEW_BYTES = 524_288
/** ms for which the bytes of a download stay for the browser to take them over; it asks at once. */
export const DOWNLOAD_KEPT_MS = 40_000
/** ms for which a button says that it copied: long enough to be seen, gone before it is pressed again. */
export const COPIED_MS = 2_000
