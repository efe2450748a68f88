// The numbers of this folder: unit in the name, then reason and source.

/** Files and bytes packed into shared archives in one request: a second or two of CPU, and under 10,000 subrequests. */
export const SHARE_PACK_FILES = 2_000
export const SHARE_PACK_BYTES = 33_554_432
/** Versions in one call to or from the catalog. Most file lists have a few hundred bytes. */
export const SHARE_CALL_VERSIONS = 500
/** Files in those lists: at 255 characters of three bytes each they have 15 MB. A call carries 32 MB. */
export const SHARE_CALL_FILES = 20_000
/** Skills that cannot be packed, and archives that are permanently lost, remembered by an isolate: 200 bytes each. */
export const SHARE_UNFIT_KEPT = 10_000
/** How long an isolate remembers them: somebody may restore the bytes. */
export const SHARE_UNFIT_MS = 300_000
