// Limits of the parts that Python and Node share.

/**
 * Bytes of packs that an isolate keeps in memory, in addition to the files of a job. A pack has at most
 * as many (PACKAGE_UNPACKED_MAX_BYTES in scripts/packages/limits.ts). With Python's heap, files and image, 103 of 128 MB are in use.
 */
export const PACKS_KEPT_MAX_BYTES = 8_388_608
/** Size of the largest file that is fetched in one message, as large as a skill's file may be. */
export const FETCH_WHOLE_MAX_BYTES = 8_388_608
/** Bytes of a larger file that a program reads ahead, for each open file. */
export const WINDOW_BYTES = 1_048_576
/** Size of the parts in which larger files are fetched. A part is in memory in addition to the file. */
export const FETCH_PART_BYTES = 2_097_152
