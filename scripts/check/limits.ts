// Limits of npm run check.

/** Maximum total size of the uploaded modules, each gzipped, without assets. A small Worker starts quickly. */
export const UPLOAD_GZIP_MAX_BYTES = 700_000
/**
 * Maximum size of the minified code that the Worker evaluates before its first request. In November 2026 it evaluated
 * 1,190 KB, which took 166 ms more CPU time than an empty Worker (`npm run bench -- --only start-worker`). Callbacks, plans, and
 * what hooks decide and log added 40 KB, MCP servers 10 KB, waits for servers 8 KB. YAML, 100 KB, is no longer part of it.
 */
export const START_CODE_MAX_BYTES = 1_300_000
/**
 * Code that only workspaces with MCP servers need. `source.ts` imports it if there is such a server. Names and limits
 * are excluded, because other code uses them.
 */
export const START_CODE_LATE = /^src\/mcp\/|^src\/tools\/mcp\/(?!source|names|limits)/
