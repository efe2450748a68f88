// The numbers of this folder: unit in the name, then reason and source.

/** Bytes of bodies and manifests in an isolate's cache, by digest. */
export const CONTENT_CACHE_BYTES = 16_777_216
/**
 * Bytes of one value in that cache. The p99 of real resources is 77 KB, and a single huge one must not evict the rest.
 */
export const CONTENT_CACHE_ITEM_BYTES = 1_048_576
/**
 * Bytes of one workspace's index as JSON, including the build's skills and tools. Each isolate reads it before a new
 * thread's first step. Ten thousand real skills have 11.4 to 13.3 MB (1.14 to 1.33 KB each), plus TOOLS_BYTES_MAX for
 * tools.
 */
export const INDEX_BYTES_MAX = 16_777_216
/**
 * Skills in one index: twice the library in docs/benchmarks.md, because lists and search grow with their number, too.
 */
export const INDEX_SKILLS_MAX = 20_000
/**
 * Bytes of index JSON that an isolate keeps parsed, by SHA-256. On the heap, of 128 MB, they take 1.2 times as much.
 * Two of the largest fit: the ones before and after a publish.
 */
export const INDEX_CACHE_BYTES = 2 * INDEX_BYTES_MAX
/** Bytes of one object of an index. A KV value holds 25 MiB; ten thousand real skills take two of these. */
export const INDEX_SHARD_BYTES = 8_388_608
