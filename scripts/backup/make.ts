// Makes a backup: hooks first, then threads, the workspace and the catalog. With this order, the archive contains the
// run of every started delivery, and the thread of every run in the workspace.

import { createHash } from 'node:crypto'

import type { RowsPage } from '../../src/backup/api.ts'
import type { BackupContents } from '../../src/workspace/restore-api.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { READ_ATTEMPTS, READ_CONCURRENCY } from './limits.ts'
import { MANIFEST_NAME, SIGNATURE_NAME, type ArchiveManifest } from './manifest.ts'
import { request, requestIfFound, bytesIfFound, forEachBounded, type BackupPorts } from './ports.ts'
import { formatBytes } from './progress.ts'
import { visitRows } from './rows.ts'

type Contents = BackupContents &
  Pick<ArchiveManifest, 'format' | 'archive' | 'workspace' | 'build' | 'at' | 'checks'> & {
    readonly ticket: string
  }
type Parts = Pick<ArchiveManifest, 'objects' | 'bytes' | 'missing' | 'lost' | 'inexact'>

interface Bytes {
  readonly name: string
  readonly kv: 'body' | 'index' | null
  /** Whether the bytes may be missing, because nothing refers to them any more. */
  readonly isLoose: boolean
}

export async function makeBackup(path: string, ports: BackupPorts): Promise<ArchiveManifest> {
  const { threads, hooks, endpoints, schedules, ticket, ...about } = await request<Contents>(
    ports,
    'GET',
    '/admin/backup',
  )
  const backup = new Backup(await ArchiveWriter.create(path), ticket, ports)
  await backup.addObjects(Object.entries({ hooks, schedules, endpoints }).flatMap(namesOf))
  await backup.addObjects(namesOf(['threads', threads]))
  await backup.addWorkspace()
  await backup.addCatalog()
  return backup.finish(about)
}

function namesOf([kind, ids]: readonly [string, readonly string[]]): readonly string[] {
  return ids.map((id) => `${kind}/${id}`)
}

class Backup {
  readonly #writer: ArchiveWriter
  readonly #ticket: string
  readonly #ports: BackupPorts
  readonly #parts: Parts = { objects: [], bytes: [], missing: [], lost: [], inexact: [] }

  constructor(writer: ArchiveWriter, ticket: string, ports: BackupPorts) {
    this.#writer = writer
    this.#ticket = ticket
    this.#ports = ports
  }

  #show(what: string): void {
    this.#ports.progress.show(`${what}, ${formatBytes(this.#writer.bytes)}`)
  }

  /** Adds objects with their files. */
  async addObjects(names: readonly string[]): Promise<void> {
    let done = 0
    await forEachBounded(names, READ_CONCURRENCY, async (name) => {
      const files = await this.#addObject(name)
      if (files === null) this.#parts.missing.push(name)
      for (const file of files ?? []) await this.#addBytes(file)
      this.#show(`${++done} of ${names.length} objects`)
    })
  }

  /** Also adds objects created while the others were being read, and drops deleted ones. */
  async addWorkspace(): Promise<void> {
    const listed = new Set(['workspace'])
    const kinds = ['threads', 'hooks', 'endpoints', 'schedules']
    await this.#addObject('workspace', [...kinds, 'file_room'], (table, { id, thread, stored }) => {
      if (table !== 'file_room') listed.add(`${table}/${String(id)}`)
      else if (Number(stored) > 0) listed.add(`threads/${String(thread)}`)
    })
    const { objects, bytes, missing } = this.#parts
    replace(objects, ({ name }) => listed.has(name))
    replace(missing, (name) => listed.has(name))
    replace(bytes, ({ name }) => listed.has(`threads/${name.split('/')[1]}`))
    const known = new Set([...missing, ...objects.map(({ name }) => name)])
    await this.addObjects([...listed].filter((name) => !known.has(name)))
  }

  async addCatalog(): Promise<void> {
    const found = new Map<string, Bytes>()
    await this.#addObject('catalog', ['blobs'], (_, { sha256, kind, refs }) => {
      const kv = kind === 'body' || kind === 'index' ? kind : null
      const name = `skills/own/${String(sha256)}`
      found.set(name, { name, kv, isLoose: refs === 0 })
    })
    for (let cursor: string | null = null; ;) {
      const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`
      const page: { readonly data: readonly string[]; readonly next_cursor: string | null } = await request(
        this.#ports,
        'GET',
        `/admin/backup/bytes${query}`,
      )
      for (const name of page.data.map((sha256) => `skills/build/${sha256}`))
        found.set(name, { name, kv: null, isLoose: false })
      cursor = page.next_cursor
      if (cursor === null) break
    }
    let done = 0
    const bytes = [...found.values()]
    await forEachBounded(bytes, READ_CONCURRENCY, async (one) => {
      await this.#addBytes(one)
      this.#show(`${++done} of ${bytes.length} files of skills`)
    })
  }

  /** Adds an object's rows, and returns the files that they refer to; null if the object no longer exists. */
  async #addObject(
    name: string,
    tables: readonly string[] = ['objects'],
    visit: Parameters<typeof visitRows>[2] = () => undefined,
  ): Promise<readonly Bytes[] | null> {
    for (let attempt = 1; ; attempt++) {
      const files: Bytes[] = []
      const pages: string[] = []
      let rows = 0
      let changes: string | null = null
      let isExact = true
      let cursor: string | null = null
      do {
        const query: string = `object=${name}&ticket=${this.#ticket}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
        const page: RowsPage | null = await requestIfFound(this.#ports, `/admin/backup/rows?${query}`)
        if (page === null) return null
        isExact &&= changes === null || changes === page.changes
        changes = page.changes
        if (!isExact && attempt < READ_ATTEMPTS) break
        rows += visitRows(page.text, tables, (table, row) => {
          visit(table, row)
          const { key, loose_at } = row
          if (table !== 'objects' || typeof key !== 'string') return
          files.push({
            name: `files/${key.slice(key.indexOf('/') + 1)}`,
            kv: null,
            isLoose: loose_at !== null,
          })
        })
        const entry = `rows/${name}/${attempt}-${pages.length + 1}.ndjson`
        await this.#writer.add(entry, Buffer.from(page.text))
        pages.push(entry)
        cursor = page.next
      } while (cursor !== null)
      if (!isExact && attempt < READ_ATTEMPTS) continue
      if (!isExact) this.#parts.inexact.push(name)
      this.#parts.objects.push({ name, pages, rows })
      return files
    }
  }

  async #addBytes({ name, kv, isLoose }: Bytes): Promise<void> {
    const bytes = await bytesIfFound(this.#ports, `/admin/backup/bytes/${name}?ticket=${this.#ticket}`)
    if (bytes === null) {
      if (!isLoose) this.#parts.lost.push(name)
      return
    }
    await this.#writer.add(name, bytes)
    this.#parts.bytes.push({ name, kv })
  }

  async finish(about: Omit<ArchiveManifest, keyof Parts | 'entries'>): Promise<ArchiveManifest> {
    const manifest = { ...about, ...this.#parts, entries: this.#writer.entries }
    const text = Buffer.from(JSON.stringify(manifest))
    const digest = createHash('sha256').update(text).digest('hex')
    const body = { archive: manifest.archive, digest }
    const signed = await request<{ readonly signature: string }>(
      this.#ports,
      'POST',
      '/admin/backup/sign',
      body,
    )
    const entries = [...manifest.entries]
    await this.#writer.add(MANIFEST_NAME, text)
    await this.#writer.add(SIGNATURE_NAME, Buffer.from(JSON.stringify({ digest, ...signed })))
    await this.#writer.finish()
    return { ...manifest, entries }
  }
}

/** Keeps only the items that `keeps` accepts. */
function replace<T>(list: T[], keeps: (item: T) => boolean): void {
  list.splice(0, list.length, ...list.filter(keeps))
}
