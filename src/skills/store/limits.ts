// The numbers of this folder: unit in the name, then reason and source.

/** Bytes of bodies and manifests an isolate keeps, by digest. */
export const CONTENT_CACHE_BYTES = 16_777_216
/** One value in that cache: p99 of real resources is 77 KB, and a single huge one must not empty the rest. */
export const CONTENT_CACHE_ITEM_BYTES = 1_048_576
/**
 * One workspace's index as JSON, the build's skills and tools included: each isolate reads it before a new thread's first
 * word. Ten thousand real skills have 11.4 to 13.3 MB (1.14 to 1.33 KB each), and tools TOOLS_BYTES_MAX on top.
 */
export const INDEX_BYTES_MAX = 16_777_216
/** Skills in one index, twice the library that docs/benchmarks.md measures: lists and the search grow with their number, too. */
export const INDEX_SKILLS_MAX = 20_000
/**
 * Bytes of index JSON an isolate keeps parsed, by sha-256; on the heap they take 1.2 times as much, of 128 MB. Two of the
 * largest fit: the one before a publish and the one after.
 */
export const INDEX_CACHE_BYTES = 2 * INDEX_BYTES_MAX
/** One object of an index: a KV value holds 25 MiB; ten thousand real skills are two of these. */
export const INDEX_SHARD_BYTES = 8_388_608
