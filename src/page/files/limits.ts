// Limits of this folder.

/** Maximum bytes of a picture that is loaded to be shown as a thumbnail. */
export const THUMBNAIL_MAX_BYTES = 4_194_304
/** Distance in px from the viewport at which a picture is fetched, so that scrolling rarely has to wait for it. */
export const PICTURE_AHEAD_PX = 200
