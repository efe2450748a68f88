// Checks files after the soak: each thread has exactly the files that its clients uploaded and its runs wrote, byte
// for byte. With the server stopped, the rows of all threads match the contents of R2.

import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

import { AUTHORIZED } from '../rig/requests.ts'
import { clientOf } from '../rig/satchel.ts'
import { Checks, type Check } from './check-list.ts'
import { storyFiles } from './file-story.ts'

import type { ClientOutcome } from './clients.ts'

const FILES_INVARIANT = 'files hold what was put or written, and no half of it'
const STORE_INVARIANT = 'R2 holds what the rows of threads name, and nothing else'

/** For each path, the contents that the file may have; null among them means that it may be missing. */
type Expected = Map<string, readonly (string | null)[]>

function expectedOf(outcomes: readonly ClientOutcome[]): ReadonlyMap<string, Expected> {
  const threads = new Map<string, Expected>()
  const expectedIn = (threadId: string): Expected => {
    const actual: Expected = threads.get(threadId) ?? new Map()
    threads.set(threadId, actual)
    return actual
  }
  for (const { runs, uploaded } of outcomes) {
    for (const { threadId, key, writes, status } of runs)
      for (const { path, states } of writes ? storyFiles(key) : [])
        expectedIn(threadId).set(path, status === 'run.completed' ? states.slice(-1) : [null, ...states])
    for (const { threadId, path, text } of uploaded) expectedIn(threadId).set(path, [text])
  }
  return threads
}

/** Reads the files from the server and compares them. */
export async function checkFiles(url: string, outcomes: readonly ClientOutcome[]): Promise<readonly Check[]> {
  const checks = new Checks()
  for (const [threadId, expected] of expectedOf(outcomes)) {
    const files = await clientOf(url).listFiles(threadId)
    if (!files.ok) throw new Error(`the files of ${threadId}: ${JSON.stringify(files.error)}`)
    const listed = files.value.map(({ path }) => path)
    for (const path of listed)
      if (!expected.has(path)) checks.note(FILES_INVARIANT, threadId, `${path} is there, and nobody wrote it`)
    for (const [path, texts] of expected) {
      const response = await fetch(`${url}/v1/threads/${threadId}/files/${path}`, { headers: AUTHORIZED })
      const text = await response.text()
      const actual = response.status === 404 ? null : response.ok ? text : `${response.status} ${text}`
      const isThere = listed.includes(path) === (actual !== null)
      const violation =
        texts.includes(actual) && isThere ? null : `${actual?.slice(0, 80) ?? 'missing'}, ${actual?.length}`
      checks.note(FILES_INVARIANT, `${threadId} ${path}`, violation)
    }
  }
  return checks.list()
}

interface Stored {
  /** The keys in R2, each with the name of the file that holds its bytes on disk. */
  readonly inR2: Map<string, string>
  /** Keys that a file of a thread needs, and keys that are not used. */
  readonly needed: Set<string>
  readonly loose: Set<string>
}

/** Reads the records of objects in one database on disk: R2's own, or that of a thread. */
function readInto({ inR2, needed, loose }: Stored, path: string): void {
  // Not imported, because Node prints a warning on each start, even for --help.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const db = new DatabaseSync(path)
  try {
    const has = (table: string): boolean =>
      db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== undefined
    const objects = has('_mf_objects') ? db.prepare('SELECT key, blob_id FROM _mf_objects').all() : []
    // Keys of other buckets do not contain a thread.
    for (const { key, blob_id } of objects)
      if (/^[^/]+\/th_[^/]+\//.test(String(key))) inR2.set(String(key), String(blob_id))
    if (!has('objects') || !has('files')) return
    const rows = db.prepare('SELECT key, loose_at FROM objects WHERE key IS NOT NULL').all()
    for (const { key, loose_at } of rows) (loose_at === null ? needed : loose).add(String(key))
  } finally {
    db.close()
  }
}

/** Reads the stores on disk after the server has ended. */
export function checkStores(folder: string): readonly Check[] {
  const checks = new Checks()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const blobs = new Set(names.map((name) => basename(name)))
  const stored: Stored = { inR2: new Map(), needed: new Set(), loose: new Set() }
  for (const name of names) if (name.endsWith('.sqlite')) readInto(stored, join(folder, name))
  const { inR2, needed, loose } = stored
  for (const key of needed)
    checks.note(STORE_INVARIANT, key, inR2.has(key) ? null : 'a file needs it, and R2 has it not')
  for (const [key, blob] of inR2) {
    if (!blobs.has(blob)) checks.note(STORE_INVARIANT, key, 'it has no bytes')
    if (!needed.has(key)) checks.note(STORE_INVARIANT, key, loose.has(key) ? null : 'no row names it')
  }
  return checks.list()
}
