// Limits of this folder. Names end in the unit; a name without a unit is a count. Each comment gives the reason.

/**
 * A page of rows ends once it has this many characters. A row adds at most 2 MB, as blobs a third more, so a page is far below the 32
 * MiB that objects may pass on; most threads are one page.
 */
export const ROWS_PAGE_CHARS = 4_194_304
/** Maximum size of a page that is restored: the longest page, in UTF-8. */
export const ROWS_PAGE_MAX_BYTES = 25_165_824
/** The version of the format of archives. */
export const ARCHIVE_FORMAT = 1
/** When a client may ask again whether a restore is complete. */
export const RESTORING_RETRY_S = 60
