// Limits of this folder.

/** Maximum characters of a table cell that stays on one line: times, names and numbers with units. */
export const SHORT_CELL_CHARS = 24
/** Maximum bytes of a picture that is loaded to be shown as a thumbnail. */
export const THUMBNAIL_MAX_BYTES = 4_194_304
/** Distance in px from the viewport at which a picture is fetched, so that scrolling rarely has to wait for it. */
export const PICTURE_AHEAD_PX = 200
