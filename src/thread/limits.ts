// The limits of this folder: unit in the name, then reason and source.

/** Rankings that an isolate keeps, one for each workspace: 2 MB at most. */
export const RANKINGS_KEPT = 32
