// Guards what a restore refuses: a deployment in use, other secrets, changed archives and hostile rows. Until a restore is
// complete, the deployment serves nobody.

import { reset, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { ROWS_PAGE_CHARS } from '../../src/backup/limits.ts'
import { objects } from '../../src/env/env.ts'
import {
  chat,
  finished,
  got,
  makeKey,
  modelReplies,
  publish,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'
import {
  backUp,
  begin,
  finish,
  pageOf,
  pagesOf,
  putBytes,
  putObject,
  putPage,
  restore,
  rowsIn,
  tablesIn,
  type Archive,
} from './backup-fixture.ts'

const ALPHA = [{ name: 'alpha' }]
let archive: Archive
let thread = ''
let key = ''

/** The archive of a deployment with a thread, and an empty deployment. */
beforeEach(async () => {
  await reset()
  await serveSkills(ALPHA)
  modelReplies()
  key = (await makeKey('chat', 'ann')).key
  thread = (await finished(key)).thread
  archive = await backUp()
  await reset()
  await serveSkills(ALPHA)
})

const pages = (name: string): readonly string[] => archive.pages.get(name) ?? []

describe('a restore does not begin', () => {
  it('in a deployment that is in use, which continues as before', async () => {
    const { key: other } = await makeKey('chat', 'ben')
    const problem = await refused(begin(archive), 409, 'not_empty')
    expect(problem.detail).toContain('new deployment')
    await refused(putPage('workspace', pages('workspace')[0] ?? '', '&first=1'), 409, 'not_empty')
    await refused(finish(), 409, 'not_empty')
    expect((await chat({ message: 'Hello' }, { key: other })).last?.type).toBe('run.completed')
  })

  it('in a deployment with published skills', async () => {
    await publish({ name: 'own' })
    await refused(begin(archive), 409, 'not_empty')
    await got(send('GET /v1/skills/own'))
  })

  it('without the same secrets, which it names', async () => {
    const other = 'another-secret-of-32-characters-or-more'
    for (const name of ['ID_SECRET', 'ENCRYPTION_KEY'] as const) {
      const problem = await refused(begin(archive, { env: { [name]: other } }), 503, 'not_configured')
      expect(problem.detail).toContain(name)
      expect(problem.detail).toContain('Nothing was changed')
    }
    const previous = { ID_SECRET: other, ID_SECRET_PREVIOUS: env.ID_SECRET ?? '' }
    await got(begin(archive, { env: previous }))
  })

  it('from an archive that was changed, or belongs to another workspace', async () => {
    await refused(begin({ ...archive, digest: 'a'.repeat(64) }), 422, 'invalid_archive')
    const about = { ...archive.about, workspace: 'other' }
    await refused(begin({ ...archive, about }), 422, 'invalid_archive')
    await got(send('GET /readyz'))
  })
})

describe('a deployment that is being restored', () => {
  beforeEach(async () => {
    await got(begin(archive))
    await putBytes(archive)
    for (const name of ['catalog', 'workspace']) await putObject(name, pages(name))
  })

  it('says so, and serves neither clients nor its operator', async () => {
    for (const answer of [
      send('GET /readyz'),
      send('POST /v1/chat', { body: { message: 'Hello' } }),
      send('POST /v1/threads'),
      send('GET /v1/threads'),
      send('GET /v1/skills'),
      send('POST /admin/keys', { body: { role: 'chat' } }),
      send('GET /admin/backup'),
    ]) {
      const problem = await refused(answer, 503, 'not_ready')
      expect(problem.detail).toContain('being restored')
    }
  })

  it('opens only when all objects are restored', async () => {
    const problem = await refused(finish(), 422, 'invalid_archive')
    expect(problem.detail).toContain(`threads/${thread}`)
    await refused(send('GET /readyz'), 503, 'not_ready')
    await putObject(`threads/${thread}`, pages(`threads/${thread}`))
    await got(finish())
    expect((await chat({ message: 'Go on.', thread_id: thread }, { key })).last?.type).toBe('run.completed')
  })

  it('drops a thread that was deleted during the backup', async () => {
    await got(finish([`threads/${thread}`]))
    expect(await got(send('GET /v1/threads'))).toMatchObject({ data: [] })
  })

  it('continues with the same archive, and refuses another', async () => {
    await refused(begin(await otherArchive()), 409, 'not_empty')
    await got(begin(archive))
    // What is complete is left as it is.
    const again = putPage('workspace', pages('workspace')[0] ?? '', '&first=1')
    expect(await got(again)).toMatchObject({ restored: true })
    await putObject(`threads/${thread}`, pages(`threads/${thread}`))
    await got(finish())
    await refused(finish(), 409, 'not_empty')
    expect(tablesIn(await pagesOf(`threads/${thread}`))).toEqual(tablesIn(pages(`threads/${thread}`)))
  })

  it('continues if it broke off after an object was written, or after the catalog was opened', async () => {
    const name = `threads/${thread}`
    const page = { text: pages(name).join(''), first: true, rows: rowsIn(pages(name)), isExact: true }
    expect(await objects(env).thread('default', thread).restoreRows(page)).toMatchObject({ ok: true })
    await putObject(name, pages(name))
    expect(await objects(env).catalog('default').finishRestore()).toMatchObject({ ok: true })
    await got(finish())
    await publish({ name: 'own' })
    expect(tablesIn(await pagesOf(name))).toEqual(tablesIn(pages(name)))
  })

  it('hides an incomplete thread from everybody, and accepts it again from the beginning', async () => {
    const name = `threads/${thread}`
    const [first = ''] = pages(name)
    expect(await got(putPage(name, first, '&first=1'))).toEqual({ object: name, restored: false })
    await refused(send(`GET /v1/threads/${thread}`), 404, 'not_found')
    await putObject(name, pages(name))
    await got(finish())
    await got(send(`GET /v1/threads/${thread}/messages`))
  })

  it('writes no rows that do not belong in a backup or to the object', async () => {
    const name = `threads/${thread}`
    const row = (table: string, columns: readonly string[], ...values: unknown[]): string =>
      pageOf({ table, columns }, values)
    for (const page of [
      row('sqlite_master', ['sql'], 'x'),
      row('outbox', ['ord'], 1),
      row('thread; DROP TABLE runs', ['id'], 'x'),
      row('runs', ['ord) VALUES (1); --'], 1),
      row('runs', ['ord', 'id'], 1),
      row('idempotency', ['key'], { b: 'not base64!' }),
      row('idempotency', ['key'], true),
      pageOf([1]),
      'not JSON\n',
    ])
      await refused(putPage(name, page, '&first=1'), 422, 'invalid_archive')
    const stolen = (pages(name)[0] ?? '').replaceAll('"default"', '"other"')
    const rows = rowsIn(pages(name))
    for (const [page, count] of [
      [stolen, rows],
      [pages(name)[0] ?? '', rows + 1],
    ] as const)
      await refused(putPage(name, page, `&first=1&rows=${count}`), 422, 'invalid_archive')
    await refused(send(`GET /v1/threads/${thread}`), 404, 'not_found')
    await refused(putPage('threads/th_x', '', '&first=1'), 422, 'invalid_request')
    await refused(putPage(`hooks/hk_other_${'0'.repeat(36)}`, '', '&first=1'), 422, 'invalid_request')
  })

  it('sends no rows or bytes without a ticket, whose request the audit records', async () => {
    const until = Date.now() + 3_600_000
    for (const ticket of ['', 'x', `${until}.${'0'.repeat(64)}`])
      for (const path of ['rows?object=workspace&', `bytes/skills/own/${'a'.repeat(64)}?`])
        await refused(send(`GET /admin/backup/${path}ticket=${ticket}`), 422, 'invalid_request')
  })

  it('stores no bytes under a wrong digest, or outside the workspace', async () => {
    const body = 'other bytes'
    await refused(send(`PUT /admin/restore/bytes/skills/own/${'a'.repeat(64)}`, { body }), 503, 'overloaded')
    await refused(
      send(`PUT /admin/restore/bytes/files/${thread}/abc?sha256=${'a'.repeat(64)}`, { body }),
      503,
      'overloaded',
    )
    for (const path of ['files/th_x/abc', `files/${thread}/../x`, 'skills/own/abc', 'index/abc'])
      await refused(
        send(`PUT /admin/restore/bytes/${path}?sha256=${'a'.repeat(64)}`, { body }),
        404,
        'not_found',
      )
  })
})

describe('an object that changed while it was backed up', () => {
  it('is restored with the newer of two rows that exclude each other', async () => {
    await got(begin(archive))
    await putBytes(archive)
    await putObject('catalog', pages('catalog'))
    const own = pages('workspace')
    const { columns = [], rows = [] } = tablesIn(own)['texts'] ?? {}
    const values = rows[0]?.map((value, at) => (columns[at] === 'id' ? 1_000 : value)) ?? []
    const newer = pageOf({ table: 'texts', columns }, values)
    const last = (query: string): Promise<Response> =>
      putPage('workspace', newer, `&rows=${rowsIn([...own, newer])}${query}`)
    for (const [nth, text] of own.entries())
      await got(putPage('workspace', text, nth === 0 ? '&first=1' : ''))
    await refused(last(''), 422, 'invalid_archive')
    await got(last('&inexact=1'))
    await putObject(`threads/${thread}`, pages(`threads/${thread}`))
    await got(finish())
    expect(tablesIn(await pagesOf('workspace'))['texts']?.rows).toContainEqual(values)
  })
})

describe('a thread of many pages', () => {
  it('is restored as it was, with the same next numbers of SQLite', async () => {
    await restore(archive)
    const large = 'x'.repeat(1_500_000)
    await runInDurableObject(env.THREADS.getByName(`default/${thread}`), (_, { storage: { sql } }) => {
      for (let seq = 1_000; seq * 1_500_000 < 1_000 * 1_500_000 + 2 * ROWS_PAGE_CHARS; seq++)
        sql.exec("INSERT INTO events VALUES (?, ?, 'run_x', 'x', ?, 1)", seq, seq, large)
      sql.exec('INSERT INTO objects (id, bytes, data) VALUES (70, 3, ?)', new Uint8Array([0, 255, 7]).buffer)
      sql.exec('DELETE FROM objects WHERE id = 70')
      sql.exec('INSERT INTO objects (id, bytes, data) VALUES (60, 3, ?)', new Uint8Array([0, 255, 7]).buffer)
    })
    const copy = await backUp()
    expect(copy.pages.get(`threads/${thread}`)?.length).toBeGreaterThan(2)
    await reset()
    await serveSkills(ALPHA)
    await restore(copy)
    expect(await pagesOf(`threads/${thread}`)).toEqual(copy.pages.get(`threads/${thread}`))
    await runInDurableObject(env.THREADS.getByName(`default/${thread}`), (_, { storage: { sql } }) => {
      const { id } = sql.exec<{ id: number }>('INSERT INTO objects (bytes) VALUES (0) RETURNING id').one()
      expect(id).toBe(71)
    })
  })
})

async function otherArchive(): Promise<Archive> {
  const digest = 'b'.repeat(64)
  const body = { archive: archive.about.archive, digest }
  const { signature } = await got<{ signature: string }>(send('POST /admin/backup/sign', { body }))
  return { ...archive, digest, signature }
}
