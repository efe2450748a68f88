// Helpers for a thread's files: what is stored in rows and in R2, and whether both agree.

import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { r2Files, type FileStore } from '../../src/files/store.ts'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { FILE_INLINE_MAX_BYTES, STAGED_FILE_RETENTION_MS } from '../../src/limits/files.ts'
import type { FilePut } from '../../src/thread/files-api.ts'
import type { HandClock, TestThread } from './rig.ts'
import { value } from './rig.ts'

/** A text that is too long for a row and contains its seed everywhere. */
export function large(seed: string): string {
  return `${seed}\n`.repeat(Math.ceil((FILE_INLINE_MAX_BYTES + 1_000) / (seed.length + 1)))
}

/** Uploads a file as the HTTP layer does. */
export async function upload(
  thread: TestThread,
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
): Promise<void> {
  const puts: FilePut[] = []
  for (const [path, content] of Object.entries(files)) {
    const data = typeof content === 'string' ? utf8(content) : content
    const held = { sha256: await sha256Hex(data), bytes: data.length }
    if (data.length <= FILE_INLINE_MAX_BYTES) {
      puts.push({ path, body: { ...held, data, object: null } })
      continue
    }
    const { object, key } = value(await thread.api.stageFile(thread.caller, data.length, path))
    await env.FILES.put(key, data)
    puts.push({ path, body: { ...held, data: null, object } })
  }
  value(await thread.api.putFiles(thread.caller, puts))
}

/** The path and content of each file. Read from the rows, which does not wake the object. */
export async function tree(thread: TestThread): Promise<Readonly<Record<string, string>>> {
  const rows = await thread.sql((sql) =>
    sql
      .exec<{ path: string; sha256: string; key: string | null; data: ArrayBuffer | null }>(
        'SELECT path, sha256, key, data FROM files LEFT JOIN objects ON objects.id = files.object ORDER BY path',
      )
      .toArray(),
  )
  const held: Record<string, string> = {}
  for (const { path, sha256, key, data } of rows) {
    const bytes = data ?? (key === null ? null : await (await env.FILES.get(key))?.arrayBuffer())
    if (!bytes) throw new Error(`${path} has no bytes`)
    expect(await sha256Hex(new Uint8Array(bytes)), path).toBe(sha256)
    held[path] = new TextDecoder().decode(bytes)
  }
  return held
}

async function keysIn(prefix: string): Promise<readonly string[]> {
  const keys: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await env.FILES.list({ prefix, ...(cursor === undefined ? {} : { cursor }) })
    keys.push(...page.objects.map(({ key }) => key))
    if (!page.truncated) return keys
    cursor = page.cursor
  }
}

export function keysOf(thread: TestThread): Promise<readonly string[]> {
  return keysIn(`${thread.name}/`)
}

/** Advances the clock past all retention times, and checks that rows and R2 agree. */
export async function checkAgree(thread: TestThread, clock: HandClock): Promise<void> {
  clock.ms += STAGED_FILE_RETENTION_MS + 1
  // As long as an alarm is set: each may kill the object, and it must come back.
  for (let turn = 0; turn < 20 && (await thread.alarm()); turn++);
  const objects = await thread.sql((sql) =>
    sql
      .exec<{ id: number; key: string | null; loose_at: number | null; pinned: number }>(
        'SELECT id, key, loose_at, pinned FROM objects ORDER BY id',
      )
      .toArray(),
  )
  const needed = await thread.sql((sql) =>
    sql
      .exec<{ object: number }>('SELECT object FROM files')
      .toArray()
      .map(({ object }) => object),
  )
  expect(objects.filter(({ loose_at }) => loose_at !== null)).toEqual([])
  expect(objects.filter(({ pinned }) => pinned === 0).map(({ id }) => id)).toEqual(
    needed
      .filter((id) => objects.some((object) => object.id === id && object.pinned === 0))
      .sort((a, b) => a - b),
  )
  expect(needed.filter((id) => !objects.some((object) => object.id === id))).toEqual([])
  const named = objects.flatMap(({ key }) => key ?? [])
  expect(await keysOf(thread)).toEqual(named.toSorted((a, b) => (a < b ? -1 : 1)))
}

/** The real store, with a point before and after every write and removal. */
export function watched(pass: (point: string) => Promise<void>): FileStore {
  const real = r2Files(env.FILES)
  return {
    ...real,
    async put(key, bytes) {
      await pass('store.put')
      await real.put(key, bytes)
      await pass('store.has')
    },
    async remove(keys) {
      await pass('store.remove')
      await real.remove(keys)
      await pass('store.removed')
    },
  }
}
