// Limits of this folder.

/** Distance in px from the viewport at which a picture is fetched, so that scrolling rarely has to wait for it. */
export const PICTURE_AHEAD_PX = 200
