// The numbers of this folder: unit in the name, then reason and source.

/** Shared archives made in one request, by the files and bytes in them: a second or two of CPU, and no 10,000 subrequests. */
export const SHARE_PACK_FILES = 2_000
export const SHARE_PACK_BYTES = 33_554_432
/** Versions asked of the catalog, or told to it, in one call: most file lists have a few hundred bytes. */
export const SHARE_CALL_VERSIONS = 500
/** Files in those lists: at 255 characters of three bytes each 15 MB; a call carries 32. */
export const SHARE_CALL_FILES = 20_000
/** Skills that cannot be packed and archives that are lost for good, as an isolate remembers them: 200 bytes each. */
export const SHARE_UNFIT_KEPT = 10_000
/** How long it does: somebody may have brought the bytes back. */
export const SHARE_UNFIT_MS = 300_000
