// Guards the tree of a thread's files: what is asked for at once is written as a whole or not at all, and the number of an
// object means the same bytes for ever.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
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

/** A tree of its own in an object of its own. */
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

describe('changes that are asked for at once', () => {
  const clashing: Record<string, readonly string[]> = {
    'of the same path': ['outputs/a', 'outputs/a'],
    'of paths that differ in case alone': ['outputs/a', 'outputs/A'],
    'of a file and what would be below it': ['outputs/a', 'outputs/a/b'],
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

  it('of which one comes too late leave nothing behind', () =>
    inTree(async (tree, sql) => {
      const gone = { ...(await body('x')), data: null, object: 77 }
      const changes = [await file('outputs/a'), { path: 'outputs/b', body: gone }]
      expect(tree.apply(changes, QUOTAS, 'tool', 1)).toMatchObject({ error: { code: 'overloaded' } })
      expect(tree.list()).toEqual([])
      expect(sql.exec('SELECT * FROM objects').toArray()).toEqual([])
    }))
})

describe('a file that the model knows', () => {
  it('stays known when the same bytes are sent once more, and not when others are', () =>
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
  it("never gets the number of one that is gone: who still holds that one must not see another's bytes", () =>
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

  it('that a file no longer needs goes from the store after its time, and not before', () =>
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

describe('a tool', () => {
  it('learns what to do where the store of large files is away', () =>
    inTree(async (tree) => {
      const away = (): Promise<never> => Promise.reject(new Error('internal detail'))
      const store = {
        put: away,
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
