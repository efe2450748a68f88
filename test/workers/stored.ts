// Everything that is stored: all tables of all objects, all objects in R2 and all keys in KV, as text.

import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

const NAMESPACES = ['WORKSPACES', 'THREADS', 'HOOKS', 'SCHEDULES', 'ENDPOINTS', 'CATALOGS'] as const

function textOf(value: SqlStorageValue): string {
  return value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : String(value)
}

function tablesOf({
  storage: { sql },
}: DurableObjectState): readonly (readonly [table: string, text: string])[] {
  const tables = sql
    .exec<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    )
    .toArray()
  return tables.map(({ name, sql: definition }) => {
    const rows = [...sql.exec(`SELECT * FROM "${name}"`)]
    return [name, [definition, ...rows.flatMap((row) => Object.values(row).map(textOf))].join('\n')]
  })
}

/** Where a text is stored, as `WORKSPACES <id> keys`, `FILES <key>` and so on. The case of letters does not matter. */
export async function locationsOf(text: string): Promise<readonly string[]> {
  const wanted = text.toLowerCase()
  const locations: string[] = []
  const look = (location: string, stored: string): void => {
    if (stored.toLowerCase().includes(wanted)) locations.push(location)
  }
  for (const name of NAMESPACES)
    for (const id of await listDurableObjectIds(env[name])) {
      const tables = await runInDurableObject(env[name].get(id), (_, state) => tablesOf(state)).catch(
        (error: unknown) => {
          // Other tests leave a catalog without a name, which no workspace has.
          if (String(error).includes('a Catalog is named by its workspace')) return []
          throw error
        },
      )
      for (const [table, stored] of tables) look(`${name} ${String(id)} ${table}`, stored)
    }
  for (const name of ['FILES', 'RESOURCES'] as const)
    for (const { key } of (await env[name].list()).objects)
      look(`${name} ${key}`, `${key}\n${await (await env[name].get(key))?.text()}`)
  for (const { name } of (await env.SKILLS.list()).keys)
    look(`SKILLS ${name}`, `${name}\n${await env.SKILLS.get(name)}`)
  return locations.toSorted()
}
