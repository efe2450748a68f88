// Guards the way from the release before: a catalog and a thread that its code wrote are read as they are, lose nothing,
// and go on. The tables are its own, made by its migration alone.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/lib/bytes.ts'
import { migrate } from '../../src/lib/migrate.ts'
import { CATALOG_MIGRATIONS } from '../../src/skills/catalog/schema.ts'
import { THREAD_MIGRATIONS } from '../../src/thread/schema.ts'
import { ANN, eventually, speaks, TestThread } from '../fault/rig.ts'
import { hang, ScriptedModel, text, use, type Turn } from '../fault/scripted-model.ts'
import { ACTOR, openWorkspace, value } from './catalog-fixture.ts'
import { seedBuild } from './seed-build.ts'

type Rows = readonly Record<string, SqlStorageValue>[]

/** Columns of the first release, table by table, as its code filled them. */
const CATALOG_TABLES: Readonly<Record<string, string>> = {
  skills: 'name, digest, enabled, shareable, updated_at',
  versions: 'seq, name, digest, entry, author, note, created_at, findings',
  switches: 'name, enabled, updated_at',
  catalog_versions: 'version, build, overlay, index_sha, at, author, action',
  history: 'seq, at, action, name, author, note, before_digest, after_digest, catalog_version',
  overlay: 'k, revision',
}

const THREAD_TABLES: Readonly<Record<string, string>> = {
  thread: '*',
  prefix: '*',
  runs: '*',
  asks: '*',
  messages: '*',
  message_parts: '*',
  tool_calls: '*',
  events: '*',
  idempotency: '*',
}

/** The same rows in the tables of the first release, and nothing else. */
async function downgrade(
  { storage }: DurableObjectState,
  tables: Readonly<Record<string, string>>,
  first: string,
  older: (table: string, row: Record<string, SqlStorageValue>) => Record<string, SqlStorageValue>,
): Promise<void> {
  const { sql } = storage
  const kept = new Map<string, Rows>()
  for (const [table, columns] of Object.entries(tables))
    kept.set(table, sql.exec(`SELECT ${columns} FROM ${table}`).toArray())
  const alarm = await storage.getAlarm()
  await storage.deleteAll()
  storage.transactionSync(() => {
    migrate(sql, [first])
    for (const [table, rows] of kept) {
      sql.exec(`DELETE FROM ${table}`)
      for (const row of rows) {
        const was = older(table, row)
        const holes = Object.keys(was).map(() => '?')
        sql.exec(
          `INSERT INTO ${table} (${Object.keys(was).join(', ')}) VALUES (${holes.join(', ')})`,
          ...Object.values(was),
        )
      }
    }
  })
  if (alarm !== null) await storage.setAlarm(alarm)
  await storage.sync()
}

/** JSON of a column without some fields, wherever in it they are. */
function without(json: SqlStorageValue | undefined, fields: readonly string[]): string | null {
  if (typeof json !== 'string') return null
  return JSON.stringify(JSON.parse(json, (key, one: unknown) => (fields.includes(key) ? undefined : one)))
}

describe('a catalog of the release before', () => {
  it('answers the same catalog, keeps its history, and goes back to its versions', async () => {
    const workspace = openWorkspace('upgrade-1')
    const { catalog, publish, stub, content } = workspace
    const build = await seedBuild(env, [{ name: 'alpha' }])
    const own = { name: 'own', files: { 'references/a.md': 'an old reference' } }
    const first = value(await publish(build, own, { note: 'the first' }))
    value(await publish(build, { ...own, body: 'second' }))
    value(await catalog.patch(build, 'alpha', { enabled: false }, ACTOR))
    const before = value(await catalog.live(build))
    const history = value(await catalog.history(null, 9, null))
    const newer = ['words', 'version', 'changelog', 'dependencies', 'argument_hint', 'disallowed_tools']
    await runInDurableObject(stub, (_, state) =>
      downgrade(state, CATALOG_TABLES, CATALOG_MIGRATIONS[0] ?? '', (table, row) =>
        table === 'versions' ? { ...row, entry: without(row['entry'], newer) } : row,
      ),
    )
    await evictDurableObject(stub)

    expect(value(await catalog.live(build))).toEqual(before)
    expect(value(await catalog.history(null, 9, null))).toEqual(history)
    expect(value(await catalog.versions('own')).map(({ note, live }) => [note, live])).toEqual([
      [null, true],
      ['the first', false],
    ])
    expect(value(await catalog.catalogVersions(1, null))[0]).toMatchObject({ action: 'disable', note: null })
    // Somebody sends one of its files, never uses it, and a day goes by.
    const reference = await sha256Hex('an old reference')
    value(await catalog.stage([{ sha256: reference, kind: 'file' }]))
    await runInDurableObject(stub, async (object, state) => {
      state.storage.sql.exec('UPDATE blobs SET staged_at = 1 WHERE kept = 0')
      await object.alarm()
    })
    value(await catalog.rollback(build, 'own', -1, ACTOR))
    const back = (await workspace.skills(value(await catalog.live(build)))).get('own')
    if (!back) throw new Error('not live')
    expect(back).toMatchObject({ digest: first.skill.digest, words: '', dependencies: [] })
    for (const file of value(await content.manifest(back))) value(await content.file(back, file.sha256))
    const restored = value(await catalog.restore(build, before.version, null, ACTOR))
    expect((await workspace.skills(restored)).get('alpha')?.enabled).toBe(false)
  })

  it('has in its rows what a publish of an old version again made live', async () => {
    const workspace = openWorkspace('upgrade-2')
    const { catalog, publish, stub, skills } = workspace
    const build = await seedBuild(env, [{ name: 'alpha' }])
    const own = { name: 'own', fields: { dependencies: '\n  - alpha' } }
    value(await publish(build, own))
    value(await publish(build, { ...own, body: 'second' }))
    await runInDurableObject(stub, (_, state) =>
      downgrade(state, CATALOG_TABLES, CATALOG_MIGRATIONS[0] ?? '', (table, row) =>
        table === 'versions' ? { ...row, entry: without(row['entry'], ['dependencies', 'words']) } : row,
      ),
    )
    await evictDurableObject(stub)
    value(await publish(build, own))
    const made = (await skills(value(await catalog.live(build)))).get('own')
    expect(made?.dependencies).toEqual(['alpha'])
    await evictDurableObject(stub)
    // Another skill's change must not change this one.
    value(await catalog.patch(build, 'alpha', { enabled: false }, ACTOR))
    expect((await skills(value(await catalog.live(build)))).get('own')).toEqual(made)
  })
})

const DONE: Turn = { content: [text('Done.')] }

function asBefore(thread: TestThread): Promise<void> {
  return thread.sql((_, state) =>
    downgrade(state, THREAD_TABLES, THREAD_MIGRATIONS[0] ?? '', (table, row) =>
      table === 'asks'
        ? { ...row, input: without(row['input'], ['calls']) }
        : table === 'tool_calls'
          ? { ...row, notes: without(row['notes'], ['body']) }
          : row,
    ),
  )
}

describe('a thread of the release before', () => {
  it('keeps its prefix and transcript to the byte, and loads a skill anew', async () => {
    const load: Turn = { content: [use('t1', 'load_skill', { name: 'review' })] }
    const model = new ScriptedModel([load, DONE])
    const thread = new TestThread(speaks(model), { ...ANN, workspace: 'upgrade-thread-1' })
    const build = await seedBuild(env, [{ name: 'review', body: 'Review it.' }])
    const one = await thread.start('One.', { build })
    await thread.ended(one.run_id)
    const receipt = await thread.receipt(one.run_id)
    await asBefore(thread)
    await thread.kill()
    expect(await thread.receipt(one.run_id)).toEqual(receipt)
    const two = await thread.start('Two.', { build })
    expect((await thread.ended(two.run_id)).status).toBe('completed')
    expect(model.problems).toEqual([])
    expect(model.requests).toHaveLength(4)
    // Nobody knows whether the old body still stands: it is given again.
    expect(JSON.stringify(model.requests[3]?.messages.at(-1))).toContain('Review it.')
    const three = await thread.start('Three.', { build })
    await thread.ended(three.run_id)
    expect(JSON.stringify(model.requests[5]?.messages.at(-1))).toContain('already loaded')
    expect(model.problems).toEqual([])
  })

  it('goes on with the run that it was in, and with the one in line', async () => {
    let dead = true
    const model = new ScriptedModel((_, call) => {
      if (call === 0) return { content: [use('t1', 'load_skill', { name: 'review' })] }
      return dead ? { act: async (_request, _onDelta, signal) => hang(signal) } : DONE
    })
    const thread = new TestThread(speaks(model), { ...ANN, workspace: 'upgrade-thread-2' })
    const build = await seedBuild(env, [{ name: 'review' }])
    const one = await thread.start('One.', { build })
    const two = await thread.start('Two.', { build, onBusy: 'enqueue' })
    await eventually(
      () => model.requests.length,
      (length) => length === 2,
    )
    await asBefore(thread)
    dead = false
    await thread.kill()
    await thread.alarm()
    expect(await thread.ended(one.run_id)).toMatchObject({
      status: 'completed',
      skills: [{ name: 'review', via: 'tool' }],
    })
    expect((await thread.ended(two.run_id)).status).toBe('completed')
    expect(model.problems).toEqual([])
    await thread.checkEnded(one.run_id, 2, false)
  })
})
