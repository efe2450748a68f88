// Guards the tree of a thread's files: changes requested together are written whole or not at all, and an object number
// always means the same bytes.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { FileAccess, StreamedContent } from '../../src/files/access.ts'
import type { FileBody, FileChange } from '../../src/agent/tool.ts'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { FILE_INLINE_MAX_BYTES, STAGED_FILE_RETENTION_MS } from '../../src/limits/files.ts'
import { FILES_TABLES } from '../../src/files/schema.ts'
import { statements } from '../../src/lib/tables.ts'
import { r2Files } from '../../src/files/store.ts'
import { FileTree } from '../../src/files/tree.ts'
import { fileAccess } from '../../src/files/tree-access.ts'
import { ok } from '../../src/lib/result.ts'

const QUOTAS = { max_files: 10, max_file_bytes: 1_000_000, max_thread_bytes: 2_000_000 }

let next = 0

/** A new tree in a new object. */
function inTree(work: (tree: FileTree, sql: SqlStorage, prefix: string) => Promise<void>): Promise<void> {
  const prefix = `tree/${++next}/`
  return runInDurableObject(env.THREADS.getByName(prefix), async (_, { storage }) => {
    storage.sql.exec(statements(FILES_TABLES))
    await work(new FileTree(storage.sql, prefix), storage.sql, prefix)
  })
}

async function body(text: string): Promise<FileBody> {
  const data = utf8(text)
  return { sha256: await sha256Hex(data), bytes: data.length, data, object: null }
}

async function file(path: string, text = path): Promise<FileChange> {
  return { path, body: await body(text) }
}

describe('changes requested together', () => {
  const clashing: Record<string, readonly string[]> = {
    'of the same path': ['outputs/a', 'outputs/a'],
    'of paths that differ in case alone': ['outputs/a', 'outputs/A'],
    'of a file and a path below it': ['outputs/a', 'outputs/a/b'],
    'the same in the other order': ['outputs/a/b', 'outputs/a'],
    'of folders that differ in case alone': ['outputs/a/b', 'outputs/A/c'],
  }
  for (const [what, paths] of Object.entries(clashing))
    it(`${what} are refused as a whole`, () =>
      inTree(async (tree) => {
        const changes = await Promise.all(paths.map((path) => file(path)))
        const done = tree.apply([await file('outputs/first'), ...changes], QUOTAS, 'tool', 1)
        expect(done).toMatchObject({ ok: false, error: { code: 'invalid_request' } })
        expect(tree.list()).toEqual([])
      }))

  it('leave nothing behind if one of them comes too late', () =>
    inTree(async (tree, sql) => {
      const gone = { ...(await body('x')), data: null, object: 77 }
      const changes = [await file('outputs/a'), { path: 'outputs/b', body: gone }]
      expect(tree.apply(changes, QUOTAS, 'tool', 1)).toMatchObject({ error: { code: 'overloaded' } })
      expect(tree.list()).toEqual([])
      expect(sql.exec('SELECT * FROM objects').toArray()).toEqual([])
    }))
})

describe('a file that the model knows', () => {
  it('stays known when the same bytes are sent again, and not when others are', () =>
    inTree(async (tree) => {
      tree.apply([await file('uploads/a', 'one')], QUOTAS, 'upload', 1)
      expect(tree.get('uploads/a')?.known).toBe(false)
      tree.markKnown('uploads/a', tree.get('uploads/a')?.sha256 ?? '')
      tree.apply([await file('uploads/a', 'one')], QUOTAS, 'upload', 2)
      tree.dropCache()
      expect(tree.get('uploads/a')).toMatchObject({ known: true, updatedAt: 2 })
      tree.apply([await file('uploads/a', 'two')], QUOTAS, 'upload', 3)
      expect(tree.get('uploads/a')?.known).toBe(false)
    }))
})

describe('an object', () => {
  it("never gets the number of a deleted one, so that nobody sees another's bytes", () =>
    inTree(async (tree) => {
      tree.apply([await file('outputs/a')], QUOTAS, 'tool', 1)
      const before = tree.get('outputs/a')
      tree.apply([{ path: 'outputs/a', body: null }], QUOTAS, 'tool', 2)
      tree.apply([await file('outputs/b', 'a secret')], QUOTAS, 'tool', 3)
      const store = r2Files(env.FILES)
      expect(await tree.bytes(before?.object ?? 0, store)).toBeNull()
      const access = fileAccess(tree, {
        store,
        now: () => 4,
        newToken: () => 't',
        quotas: async () => ok(QUOTAS),
        reserveSpace: async () => ok(null),
      })
      const read = before && (await access.read(before))
      expect(read).toMatchObject({
        ok: false,
        error: expect.stringContaining('changed or removed') as string,
      })
    }))

  it('that is no longer needed is deleted from the store after its time, and not before', () =>
    inTree(async (tree, _, prefix) => {
      const store = r2Files(env.FILES)
      const bytes = new Uint8Array(FILE_INLINE_MAX_BYTES + 1)
      let token = 0
      const put = async (): Promise<void> => {
        const made = await tree.storeBody(bytes, await sha256Hex(bytes), store, () => `t${++token}`, 1)
        tree.apply([{ path: 'outputs/a', body: made }], QUOTAS, 'tool', 1)
      }
      const keys = async (): Promise<readonly string[]> =>
        (await env.FILES.list({ prefix })).objects.map(({ key }) => key)
      await put()
      await put()
      expect(await keys()).toHaveLength(2)
      await tree.sweep(store, STAGED_FILE_RETENTION_MS)
      expect(await keys()).toHaveLength(2)
      await tree.sweep(store, STAGED_FILE_RETENTION_MS + 1)
      expect(await keys()).toEqual([`${prefix}t2`])
      expect(tree.sweepDue()).toBeNull()
    }))
})

describe('content that arrives in parts', () => {
  const access = (tree: FileTree): FileAccess =>
    fileAccess(tree, {
      store: r2Files(env.FILES),
      now: () => 1,
      newToken: () => crypto.randomUUID(),
      quotas: async () => ok(QUOTAS),
      reserveSpace: async () => ok(null),
    })
  const parts = (text: string, count: number): StreamedContent => ({
    bytes: text.length * count,
    parts: async function* () {
      for (let at = 0; at < count; at++) yield utf8(text)
    },
  })
  const PART = 'x'.repeat(99_999)

  it.each([
    ['is a row if it is small', 1],
    ['is an object if it is large', 5],
  ])('%s', async (_, count) =>
    inTree(async (tree, _sql, prefix) => {
      const files = access(tree)
      const done = await files.rewrite([{ path: 'outputs/a', content: parts(PART, count), expect: null }])
      const { body } = (done.ok && done.value[0]) || {}
      expect(body).toMatchObject({
        bytes: PART.length * count,
        sha256: await sha256Hex(utf8(PART.repeat(count))),
      })
      expect(tree.apply(done.ok ? done.value : [], QUOTAS, 'tool', 1)).toMatchObject({ ok: true })
      const row = tree.get('outputs/a')
      expect(row && (await files.readRange(row, 99_990, 9))).toEqual(ok(utf8('x'.repeat(9))))
      expect((await env.FILES.list({ prefix })).objects).toHaveLength(count === 1 ? 0 : 1)
    }),
  )

  it('leaves nothing behind if it equals the file', async () =>
    inTree(async (tree, _sql, prefix) => {
      const sha256 = await sha256Hex(utf8(PART.repeat(3)))
      const rewrite = { path: 'outputs/a', content: parts(PART, 3), expect: sha256 }
      const first = await access(tree).rewrite([{ ...rewrite, expect: null }])
      tree.apply(first.ok ? first.value : [], QUOTAS, 'tool', 1)
      expect(await access(tree).rewrite([rewrite])).toEqual(ok([]))
      expect((await env.FILES.list({ prefix })).objects).toHaveLength(1)
    }))

  it('is refused by its size before a part is read', async () =>
    inTree(async (tree) => {
      const content: StreamedContent = {
        bytes: QUOTAS.max_file_bytes + 1,
        parts: () => {
          throw new Error('read')
        },
      }
      const refused = await access(tree).rewrite([{ path: 'outputs/a', content, expect: null }])
      expect(refused).toMatchObject({ ok: false, error: expect.stringContaining('the limit for a file') })
    }))

  it('changes nothing if it cannot be read', async () =>
    inTree(async (tree) => {
      const content: StreamedContent = {
        bytes: 200_000,
        parts: async function* () {
          yield utf8(PART)
          throw new Error('lost')
        },
      }
      const refused = await access(tree).rewrite([{ path: 'outputs/a', content, expect: null }])
      expect(refused.ok).toBe(false)
    }))

  it('keeps its parts until they are discarded', async () =>
    inTree(async (tree, sql, prefix) => {
      const files = access(tree)
      const kept = await files.keep(utf8('0123456789'))
      if (!kept.ok) throw new Error(kept.error)
      expect(await files.readKept(kept.value, 3, 4)).toEqual(ok(utf8('3456')))
      await files.discard([kept.value])
      expect((await env.FILES.list({ prefix })).objects).toEqual([])
      expect(sql.exec('SELECT * FROM objects').toArray()).toEqual([])
      expect(await files.readKept(kept.value, 0, 1)).toMatchObject({ ok: false })
    }))
})

describe('a tool', () => {
  it('is told what to do when the store of large files is unavailable', () =>
    inTree(async (tree) => {
      const away = (): Promise<never> => Promise.reject(new Error('internal detail'))
      const store = {
        put: away,
        putParts: away,
        get: away,
        getRange: away,
        copy: away,
        remove: away,
        removeSome: away,
        abort: away,
      }
      const access = fileAccess(tree, {
        store,
        now: () => 1,
        newToken: () => 't',
        quotas: async () => ok(QUOTAS),
        reserveSpace: async () => ok(null),
      })
      const large = new Uint8Array(FILE_INLINE_MAX_BYTES + 1)
      const written = await access.write('outputs/a', large)
      expect(written).toEqual({
        ok: false,
        error:
          'Not written: the storage for large files is unreachable right now. Try again in the next step.',
      })
    }))
})
