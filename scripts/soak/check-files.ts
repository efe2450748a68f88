// What must hold of files once it is quiet again: each thread has those that its clients put there and its runs wrote, byte
// for byte, and nothing else; and with the server at rest, what the rows of all threads name is what R2 holds.

import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { Book, type Check } from './book.ts'
import { filesOf } from './file-story.ts'
import { ADMIN_KEY } from './server.ts'

import type { Outcome } from './clients.ts'

const WHOLE = 'files hold what was put or written, and no half of it'
const NAMED = 'R2 holds what the rows of threads name, and nothing else'

/** By path the texts that a file may hold; null among them: it may be missing. */
type Expected = Map<string, readonly (string | null)[]>

function expectedOf(outcomes: readonly Outcome[]): ReadonlyMap<string, Expected> {
  const threads = new Map<string, Expected>()
  const of = (threadId: string): Expected => {
    const held: Expected = threads.get(threadId) ?? new Map()
    threads.set(threadId, held)
    return held
  }
  for (const { told, uploaded } of outcomes) {
    for (const { threadId, key, writes, status } of told)
      for (const { path, states } of writes ? filesOf(key) : [])
        of(threadId).set(path, status === 'run.completed' ? states.slice(-1) : [null, ...states])
    for (const { threadId, path, text } of uploaded) of(threadId).set(path, [text])
  }
  return threads
}

/** Read anew from the server. */
export async function checkFiles(url: string, outcomes: readonly Outcome[]): Promise<readonly Check[]> {
  const book = new Book()
  const headers = { Authorization: `Bearer ${ADMIN_KEY}` }
  for (const [threadId, expected] of expectedOf(outcomes)) {
    const base = `${url}/v1/threads/${threadId}/files`
    const listed: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const response = await fetch(`${base}?limit=100${more}`, { headers })
      // Our own route: the contract's page.
      const page = (await response.json()) as { data: { path: string }[]; next_cursor: string | null }
      listed.push(...page.data.map(({ path }) => path))
      cursor = page.next_cursor
    }
    for (const path of listed)
      if (!expected.has(path)) book.note(WHOLE, threadId, `${path} is there, and nobody wrote it`)
    for (const [path, texts] of expected) {
      const response = await fetch(`${base}/${path}`, { headers })
      const text = await response.text()
      const held = response.status === 404 ? null : response.ok ? text : `${response.status} ${text}`
      const isThere = listed.includes(path) === (held !== null)
      const wrong =
        texts.includes(held) && isThere ? null : `${held?.slice(0, 80) ?? 'missing'}, ${held?.length}`
      book.note(WHOLE, `${threadId} ${path}`, wrong)
    }
  }
  return book.list()
}

/** Reads the stores on disk, of a server that has ended. */
export function checkStores(folder: string): readonly Check[] {
  const book = new Book()
  const inR2 = new Set<string>()
  const needed = new Set<string>()
  const loose = new Set<string>()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const blobs = new Set(names.map((name) => basename(name)))
  for (const path of names.filter((name) => name.endsWith('.sqlite')).map((name) => join(folder, name))) {
    const db = new DatabaseSync(path)
    try {
      const has = (table: string): boolean =>
        db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== undefined
      if (has('_mf_objects'))
        for (const { key, blob_id } of db.prepare('SELECT key, blob_id FROM _mf_objects').all())
          if (/^[^/]+\/th_[^/]+\//.test(String(key))) {
            inR2.add(String(key))
            if (blob_id === null || !blobs.has(String(blob_id)))
              book.note(NAMED, String(key), 'it has no bytes')
          }
      if (has('objects') && has('files'))
        for (const { key, loose_at } of db
          .prepare('SELECT key, loose_at FROM objects WHERE key IS NOT NULL')
          .all())
          (loose_at === null ? needed : loose).add(String(key))
    } finally {
      db.close()
    }
  }
  for (const key of needed) book.note(NAMED, key, inR2.has(key) ? null : 'a file needs it, and R2 has it not')
  for (const key of inR2)
    if (!needed.has(key)) book.note(NAMED, key, loose.has(key) ? null : 'no row names it')
  return book.list()
}
