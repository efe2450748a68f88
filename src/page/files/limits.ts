// Limits of this folder.

/** px below the viewport at which a picture is fetched, so that scrolling seldom waits. */
export const PICTURE_AHEAD_PX = 200
