// Limits of the parts that Python and Node share.

/**
 * Bytes of packs that an isolate keeps in memory, in addition to the files of a job. A pack has at most
 * as many (PACKAGE_UNPACKED_MAX_BYTES in scripts/packages/limits.ts). With Python's heap, files and image, 103 of 128 MB are in use.
 */
export const PACKS_KEPT_MAX_BYTES = 8_388_608
