// Limits of this folder. Names end in the unit; a name without a unit is a count. Comments give the reason and the source.

/** Files and bytes that one request packs into archives: a second or two of CPU and fewer than 10,000 subrequests. */
export const SHARE_PACK_FILES_MAX = 2_000
export const SHARE_PACK_MAX_BYTES = 33_554_432
/** Versions in one call to the catalog or in its response. Most lists of files have a few hundred bytes. */
export const SHARE_CALL_VERSIONS_MAX = 500
/** Paths in one call: with 255 characters of three bytes each, they take 15 MB of the 32 MB that a call may carry. */
export const SHARE_CALL_FILES_MAX = 20_000
/** Versions that an isolate remembers as impossible to pack or permanently lost. Each takes 200 bytes. */
export const SHARE_UNPACKABLE_MAX = 10_000
/** How long an isolate remembers them. After that it tries again, because an operator may have restored the bytes. */
export const SHARE_UNPACKABLE_MS = 300_000
