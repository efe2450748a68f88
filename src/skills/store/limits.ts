// Limits of this folder. Names end in the unit; a name without a unit is a count. Comments give the reason and the source.

/** Bytes of files, bodies and manifests in an isolate's cache. */
export const CONTENT_CACHE_MAX_BYTES = 16_777_216
/** Maximum bytes of one value in that cache, so that it cannot evict all others. The p99 of real files is 77 KB. */
export const CONTENT_CACHE_ITEM_MAX_BYTES = 1_048_576
/**
 * Bytes of one workspace's index as JSON, including the build's skills and the index's part of tools. Each isolate
 * reads it before the first step of a new thread. Ten thousand real skills take 11.4 to 13.3 MB (1.14 to 1.33 KB
 * each), and 2,000 tools 1 MB.
 */
export const INDEX_BYTES_MAX = 16_777_216
/**
 * Skills in one index: twice as many as in docs/benchmarks.md. The cost of lists and search grows with their number.
 */
export const INDEX_SKILLS_MAX = 20_000
/**
 * Bytes of index JSON that an isolate caches in parsed form, which takes 1.2 times as much of the 128 MB heap. Two of
 * the largest indexes fit, such as the ones before and after a publish.
 */
export const INDEX_CACHE_MAX_BYTES = 2 * INDEX_BYTES_MAX
/** Bytes of one object of an index. Ten thousand real skills need two objects; a KV value may have 25 MiB. */
export const INDEX_SHARD_MAX_BYTES = 8_388_608
/**
 * Bytes of tool definitions that are stored in the index itself. If there are more, they are in separate objects. A
 * new thread reads the index, and this is about as much as it may list (LISTED_TOOLS_MAX_TOKENS), with the requests of
 * HTTP tools.
 */
export const TOOLS_IN_INDEX_MAX_BYTES = 32_768
/** HTTP tools whose definitions share one object. If there are more, they are spread over sixteen objects. */
export const TOOLS_IN_ONE_OBJECT_MAX = 200
/** Bytes of such objects that an isolate caches in parsed form: twice all definitions of a workspace. */
export const TOOL_DETAILS_CACHE_MAX_BYTES = 16_777_216
/** Characters of a tool's description that the index keeps. */
export const TOOL_LINE_MAX_CHARS = 120
