// The numbers of this folder: unit in the name, then reason and source.

/** A Worker whose skills are not there yet is asked again after this: `npm start` takes a second or two to push them. */
export const NOT_READY_RETRY_S = 1
