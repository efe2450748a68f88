// Guards exports: together, the parts of an export have every entry once, even if a response ends early or a
// connection breaks; what is deleted meanwhile is skipped, and the report says so.

import { unpackTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { EXPORT_CALLS_MAX } from '../../../../src/api/export/limits.ts'
import { entryName, positionOf } from '../../../../src/api/export/position.ts'
import {
  exportPieces,
  type ExportedThread,
  type ExportSource,
} from '../../../../src/api/export/user-export.ts'
import { fromUtf8, joinBytes, utf8 } from '../../../../src/lib/bytes.ts'
import { decodeCursor, encodeCursor } from '../../../../src/lib/cursor.ts'
import { fail, ok } from '../../../../src/lib/result.ts'

const threadId = (at: number): string => `th_${String(at).padStart(24, '0')}`
const GONE = fail('not_found', 'There is no such thread.')

/** A list of `count` items on pages of two. */
function pages(name: string, count: number) {
  return async (_: unknown, cursor: string | null) => {
    const after = cursor === null ? 0 : (decodeCursor(cursor, ['number'])?.[0] ?? 0)
    const last = Math.min(after + 2, count)
    const data = Array.from({ length: last - after }, (_, at) => ({ [name]: after + at + 1 }))
    return ok({ data: data as never[], next_cursor: last < count ? encodeCursor([last]) : null })
  }
}

/** The cast is safe: an export reads only these methods and fields. */
function thread(files: readonly string[], change: object = {}): ExportedThread {
  return {
    info: async () => ok({ title: 'Hello' }),
    messages: pages('message', 5),
    receipts: pages('run', 3),
    exportPage: async () => ok({ data: [], next_cursor: null }),
    listFiles: async () => ok({ data: files.map((path) => ({ path })), next_cursor: null }),
    fileContent: async (_: unknown, path: string) =>
      ok(
        path.includes('large')
          ? { path, bytes: 6, data: null, key: path, updated_at: '2030-01-01T00:00:00Z' }
          : { path, bytes: 5, data: utf8('small'), key: null, updated_at: '2030-01-01T00:00:00Z' },
      ),
    ...change,
  } as unknown as ExportedThread
}

function source(
  threads: ReadonlyMap<string, ExportedThread>,
  change: Partial<ExportSource> = {},
): ExportSource {
  return {
    account: async () => ok({ user: 'ann' }),
    threads: async (from, limit) => ok([...threads.keys()].filter((id) => id >= from).slice(0, limit)),
    thread: (id) => threads.get(id) ?? thread([], { info: async () => GONE }),
    bytes: async (key) => (key.includes('lost') ? null : new Blob(['lar', 'ge!']).stream()),
    caller: { workspace: 'default', keyId: 'k', role: 'chat', user: 'ann' },
    now: 0,
    ...change,
  }
}

interface Report {
  readonly complete: boolean
  readonly next_cursor: string | null
  readonly reason: string | null
  readonly threads: number
  readonly files: number
  readonly skipped: readonly { readonly entry: string }[]
}

/** The entries of one archive, without its report. */
async function exported(
  from: ExportSource,
  cursor: string | null = null,
): Promise<{ readonly entries: readonly (readonly [string, string])[]; readonly report: Report }> {
  const start = positionOf(cursor)
  if (!start.ok) throw new Error(start.error.detail)
  const pieces: Uint8Array[] = []
  for await (const piece of exportPieces(from, start.value)) pieces.push(piece)
  const all = (await unpackTar(joinBytes(pieces))).map(
    ({ header, data }) => [header.name, fromUtf8(data ?? new Uint8Array()) ?? ''] as const,
  )
  const [name, text] = all.at(-1) ?? ['', '']
  expect(name).toBe('report.json')
  // The cast is safe: the tests check each field.
  return { entries: all.slice(0, -1), report: JSON.parse(text) as Report }
}

const FILES = ['outputs/large.bin', 'uploads/a b.txt', 'uploads/ü.txt']

describe('an export', () => {
  it('has the account, and of each thread its lists in parts and its files', async () => {
    const { entries, report } = await exported(source(new Map([[threadId(1), thread(FILES)]])))
    const folder = `threads/${threadId(1)}`
    expect(entries.map(([name]) => name)).toEqual([
      'account.json',
      `${folder}/thread.json`,
      `${folder}/messages.ndjson`,
      `${folder}/messages-2.ndjson`,
      `${folder}/messages-4.ndjson`,
      `${folder}/runs.ndjson`,
      `${folder}/runs-2.ndjson`,
      ...FILES.map((path) => `${folder}/files/${path}`),
    ])
    expect(entries[3]?.[1]).toBe('{"message":3}\n{"message":4}\n')
    expect(entries.slice(-3).map(([, text]) => text)).toEqual(['large!', 'small', 'small'])
    expect(report).toEqual({
      complete: true,
      next_cursor: null,
      reason: null,
      threads: 1,
      files: 3,
      skipped: [],
    })
  })

  it('ends a response before too many calls, and its parts together have everything once', async () => {
    const many = new Map(Array.from({ length: 330 }, (_, at) => [threadId(at), thread(FILES)]))
    const whole = new Map<string, string>()
    let calls = 0
    const counted = source(many)
    const counting: ExportSource = {
      ...counted,
      thread: (id) =>
        new Proxy(counted.thread(id), {
          get: (target, name) => {
            calls += 1
            // The cast is safe: an export reads only its methods.
            return Reflect.get(target, name) as unknown
          },
        }),
    }
    let parts = 0
    for (let cursor: string | null = null; ; parts++) {
      calls = 0
      const { entries, report } = await exported(counting, cursor)
      expect(calls).toBeLessThanOrEqual(EXPORT_CALLS_MAX)
      for (const [name, text] of entries) {
        expect(whole.has(name)).toBe(false)
        whole.set(name, text)
      }
      cursor = report.next_cursor
      if (cursor === null) break
      expect(report).toMatchObject({ complete: false, reason: expect.stringContaining('next_cursor') })
    }
    expect(parts).toBeGreaterThan(3)
    expect(whole.size).toBe(1 + 330 * (1 + 3 + 2 + FILES.length))
  })

  it('continues after any entry that was received before the connection broke', async () => {
    const from = source(new Map([1, 2, 3].map((at) => [threadId(at), thread(FILES)])))
    const { entries } = await exported(from)
    for (const [at, [name]] of entries.entries())
      expect((await exported(from, name)).entries).toEqual(entries.slice(at))
    // Also if the thread is gone by then.
    const rest = source(new Map([3].map((at) => [threadId(at), thread(FILES)])))
    expect((await exported(rest, `threads/${threadId(2)}/files/x`)).entries).toHaveLength(9)
  })

  it('skips threads and files that are deleted meanwhile, and names them', async () => {
    const gone = { fileContent: async () => GONE }
    const threads = new Map([
      [threadId(1), thread([], { info: async () => GONE })],
      [threadId(2), thread(['uploads/a.txt'], gone)],
      [threadId(3), thread(['uploads/large-lost.bin', 'uploads/b.txt'])],
      [threadId(4), thread([], { messages: async () => GONE })],
    ])
    const { entries, report } = await exported(source(threads))
    expect(report).toMatchObject({ complete: true, threads: 3, files: 1 })
    expect(report.skipped.map(({ entry }) => entry)).toEqual([
      `threads/${threadId(1)}/thread.json`,
      `threads/${threadId(2)}/files/uploads/a.txt`,
      `threads/${threadId(3)}/files/uploads/large-lost.bin`,
      `threads/${threadId(4)}/messages.ndjson`,
    ])
    expect(entries.at(-1)?.[0]).toBe(`threads/${threadId(4)}/thread.json`)
  })

  it('that cannot be read says why and where to continue', async () => {
    const broken = { receipts: async () => fail('overloaded', 'Try again later.') }
    const threads = new Map([
      [threadId(1), thread(FILES)],
      [threadId(2), thread(FILES, broken)],
    ])
    const { report } = await exported(source(threads))
    const next_cursor = `threads/${threadId(2)}/runs.ndjson`
    expect(report).toMatchObject({ complete: false, next_cursor, reason: 'Try again later.' })
    const throwing = { info: () => Promise.reject(new Error('The object moved.')) }
    const other = source(new Map([[threadId(1), thread(FILES, throwing)]]))
    expect((await exported(other)).report.next_cursor).toBe(`threads/${threadId(1)}/thread.json`)
  })

  it('breaks off if the store has other bytes than the thread says', async () => {
    const short = source(new Map([[threadId(1), thread(FILES)]]), {
      bytes: async () => new Blob(['short']).stream(),
    })
    await expect(exported(short)).rejects.toThrow('5 instead of 6 bytes')
  })
})

it('a cursor is the name of an entry, and nothing else', () => {
  const id = threadId(7)
  const names = ['thread.json', 'messages-12.ndjson', 'approvals.ndjson', 'files/uploads/a b/ü.txt', 'files/']
  for (const name of names.map((end) => `threads/${id}/${end}`)) {
    const position = positionOf(name)
    expect(position.ok && entryName(position.value)).toBe(name)
  }
  for (const bad of [
    '',
    'x',
    'report.json',
    `threads/${id}`,
    `threads/../thread.json`,
    `threads/${id}/events.ndjson`,
  ])
    expect(positionOf(bad)).toMatchObject({ ok: false, error: { code: 'bad_cursor' } })
})
