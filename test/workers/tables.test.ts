// Guards that every table declares what happens to its rows: an undeclared table is neither deleted nor copied.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../src/lib/migrate.ts'
import { statements } from '../../src/lib/tables.ts'
import { ENDPOINT_MIGRATIONS, ENDPOINT_TABLES } from '../../src/callbacks/schema.ts'
import { SCHEDULE_MIGRATIONS, SCHEDULE_TABLES } from '../../src/schedules/schema.ts'
import { CATALOG_MIGRATIONS, CATALOG_TABLES } from '../../src/skills/catalog/schema.ts'
import { COPIED_PARTS } from '../../src/thread/fork/copied-parts.ts'
import { ON_DEMAND_TABLES } from '../../src/thread/rows/on-demand-schema.ts'
import { INITIAL_TABLES, THREAD_MIGRATIONS, THREAD_TABLES } from '../../src/thread/rows/schema.ts'
import { AUDIT_TABLES } from '../../src/workspace/audit-schema.ts'
import { HOOK_MIGRATIONS, HOOK_TABLES } from '../../src/webhooks/schema.ts'
import { WORKSPACE_MIGRATIONS, WORKSPACE_TABLES } from '../../src/workspace/schema.ts'

function inTables(
  migrations: readonly string[],
  look: (sql: SqlStorage, names: readonly string[]) => void,
): Promise<void> {
  return runInDurableObject(env.THREADS.getByName(crypto.randomUUID()), (_, { storage: { sql } }) => {
    migrate(sql, migrations)
    const names = sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray()
      .map(({ name }) => name)
      .filter((name) => !/^_cf|^sqlite_|^migrations$|^words_/.test(name))
    look(sql, names)
  })
}

function columns(sql: SqlStorage, table: string): readonly string[] {
  return sql.exec(`SELECT * FROM ${table} LIMIT 0`).columnNames
}

describe('each table', () => {
  it('of a thread declares how a fork, a deletion and an export treat it', () =>
    inTables(THREAD_MIGRATIONS, (sql, names) => {
      expect([...names].sort()).toEqual(Object.keys(INITIAL_TABLES).sort())
      sql.exec(statements(ON_DEMAND_TABLES))
      for (const [name, { key }] of Object.entries(THREAD_TABLES)) {
        const ofKey = key.split(', ')
        expect(columns(sql, name).slice(0, ofKey.length)).toEqual(ofKey)
      }
    }))

  it('of a workspace declares how the deletion of a thread treats it', () =>
    inTables(WORKSPACE_MIGRATIONS, (sql, names) => {
      expect([...names].sort()).toEqual(Object.keys(WORKSPACE_TABLES).sort())
      for (const [name, { threadColumn }] of Object.entries(WORKSPACE_TABLES))
        if (threadColumn !== null) expect(columns(sql, name)).toContain(threadColumn)
      sql.exec(statements(AUDIT_TABLES))
      // The audit outlives what it is about, and the deletion of a thread does not look at its tables.
      for (const { threadColumn } of Object.values(AUDIT_TABLES)) expect(threadColumn).toBeNull()
    }))

  it('of the other objects declares whether a backup has it', async () => {
    for (const [migrations, tables] of [
      [CATALOG_MIGRATIONS, CATALOG_TABLES],
      [HOOK_MIGRATIONS, HOOK_TABLES],
      [SCHEDULE_MIGRATIONS, SCHEDULE_TABLES],
      [ENDPOINT_MIGRATIONS, ENDPOINT_TABLES],
    ] as const)
      await inTables(migrations, (_, names) => expect([...names].sort()).toEqual(Object.keys(tables).sort()))
  })

  it('is omitted from backups only if it is momentary or can be rebuilt', () => {
    const all = { ...THREAD_TABLES, ...WORKSPACE_TABLES, ...AUDIT_TABLES, ...CATALOG_TABLES, ...HOOK_TABLES }
    const more = { ...SCHEDULE_TABLES, ...ENDPOINT_TABLES }
    const leftOut = Object.entries({ ...all, ...more }).flatMap(([name, { backup }]) =>
      backup ? [] : [name],
    )
    expect(leftOut.sort()).toEqual([
      'background',
      'deletion',
      'leases',
      'open_runs',
      'outbox',
      'run_secrets',
      'tokens',
      'words',
    ])
  })

  it('that a fork copies is read with all its columns, in their order', () =>
    inTables(THREAD_MIGRATIONS, (sql) => {
      sql.exec(statements(ON_DEMAND_TABLES))
      for (const { select, tables } of COPIED_PARTS) {
        const read = sql.exec(`WITH cut (message, at, images) AS (VALUES (1, 1, '[]')) ${select} LIMIT 0`)
        expect(read.columnNames).toEqual(tables.flatMap((table) => columns(sql, table)))
      }
    }))
})

describe('the thread', () => {
  it('has its own row deleted last, because it indicates that others may remain', () => {
    const [first] = Object.entries(THREAD_TABLES)
    expect(first).toMatchObject(['thread', { removed: true }])
  })
})
