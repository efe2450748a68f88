// Limits of the packages of a deployment: PACKAGE_* for one package, ALL_PACKAGES_* for all together, PACKAGE_INDEX_* for
// requests to a package index. A name without a unit is a count.

/** Bytes of one archive as downloaded. The largest pure package among the hundred most used ones has 9 MB. */
export const PACKAGE_ARCHIVE_MAX_BYTES = 25_165_824
/**
 * Bytes of one unpacked file: the largest file that a script can open. Checked before PACKAGE_UNPACKED_MAX_BYTES, so
 * that the error names the file.
 */
export const PACKAGE_FILE_MAX_BYTES = 25_165_824
/**
 * Bytes of one unpacked package: the bytes of packages that an isolate keeps in memory (src/sandbox/wasm/limits.ts).
 */
export const PACKAGE_UNPACKED_MAX_BYTES = 8_388_608
/** Files of one package: the number of members that an archive may have. */
export const PACKAGE_FILES_MAX = 4_096
/**
 * Bytes of all unpacked packages. They take two to three times as much space among the static files of the deployment.
 */
export const ALL_PACKAGES_UNPACKED_MAX_BYTES = 20_971_520
/** Files of all packages. Each takes about 500 bytes in each isolate. */
export const ALL_PACKAGES_FILES_MAX = 10_000
/**
 * Steps for compiling all Python packages. Fourteen real ones with 4.9 MB of source take 205,000,000. Reaching the
 * limit takes minutes.
 */
export const ALL_PACKAGES_COMPILE_MAX_STEPS = 5_000_000_000
/** Packages of a deployment, with their dependencies. */
export const PACKAGES_MAX = 200
/** Bytes of one response of an index. The response for an npm package with thousands of versions has 20 MB. */
export const PACKAGE_INDEX_ANSWER_MAX_BYTES = 33_554_432
/** Timeout in ms for one request to an index. */
export const PACKAGE_INDEX_TIMEOUT_MS = 60_000
/** Redirects of one request to an index. */
export const PACKAGE_INDEX_REDIRECTS_MAX = 3
/**
 * Maximum number of rounds in which versions are chosen, because a chosen version adds requirements. Real dependency
 * trees need five.
 */
export const RESOLVE_ROUNDS_MAX = 50
/** Characters of a name, as npm limits them. */
export const PACKAGE_NAME_MAX_CHARS = 214
