// What was last seen of MCP servers, as rows. Definitions and approvals are in the catalog. Imported when it is
// needed.

import type { McpObservation } from '../tools/mcp/observation.ts'
import type { SeenMcpServer } from './api.ts'
import { MCP_SERVERS_SEEN_MAX } from './limits.ts'

export function storeObservation(
  sql: SqlStorage,
  name: string,
  { url, error, listing }: McpObservation,
  at: string,
): void {
  sql.exec(
    `INSERT INTO mcp_servers (name, url, at, seen_at, error_at, error, listing) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
     ON CONFLICT (name) DO UPDATE SET at = ?3,
       seen_at = coalesce(?4, iif(url = ?2, seen_at, NULL)),
       error_at = coalesce(?5, iif(url = ?2, error_at, NULL)),
       error = coalesce(?6, iif(url = ?2, error, NULL)),
       listing = coalesce(?7, iif(url = ?2, listing, NULL)),
       url = ?2`,
    name,
    url,
    at,
    error === null ? at : null,
    error === null ? null : at,
    error,
    listing && JSON.stringify(listing),
  )
  sql.exec(
    'DELETE FROM mcp_servers WHERE name IN (SELECT name FROM mcp_servers ORDER BY at DESC LIMIT -1 OFFSET ?)',
    MCP_SERVERS_SEEN_MAX,
  )
}

/** All servers without diffs, or the server with this name. */
export function seenServers(sql: SqlStorage, name: string | null): readonly SeenMcpServer[] {
  type Row = Omit<SeenMcpServer, 'error' | 'listing'> & {
    [column in 'error_at' | 'error' | 'listing']: string | null
  }
  return sql
    .exec<Row>(
      'SELECT name, url, seen_at, error_at, error, listing FROM mcp_servers WHERE ?1 IS NULL OR name = ?1',
      name,
    )
    .toArray()
    .map(({ error_at, error, listing, ...row }) => {
      // The cast is safe: only storeObservation() writes this column.
      const listed = listing === null ? null : (JSON.parse(listing) as NonNullable<SeenMcpServer['listing']>)
      const blocked = listed?.blocked.map((tool) => (name === null ? { ...tool, diff: null } : tool)) ?? []
      return {
        ...row,
        error: error_at === null || error === null ? null : { at: error_at, detail: error },
        listing: listed && { ...listed, blocked },
      }
    })
}
