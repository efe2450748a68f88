// Numbers of this folder, with unit and reason.

/** px before a picture comes into sight at which it is fetched, so that who scrolls seldom waits. */
export const PICTURE_AHEAD_PX = 200
