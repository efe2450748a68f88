// The numbers of this folder: unit in the name, then reason and source.

/** Rankings an isolate keeps, one a workspace: 2 MB at most. */
export const RANKINGS_KEPT = 32
