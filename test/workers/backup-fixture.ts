// A backup and a restore as the commands make them, over HTTP, but in memory.

import { expect } from 'vitest'
import type { RowsPage } from '../../src/backup/api.ts'
import { sha256Hex } from '../../src/lib/bytes.ts'
import type { BackupContents } from '../../src/workspace/restore-api.ts'
import { got, send, type Ask } from './api-fixture.ts'

interface About {
  readonly format: number
  readonly archive: string
  readonly workspace: string
  readonly checks: { readonly id: readonly string[]; readonly encryption: readonly string[] }
}

export interface Archive {
  readonly about: About
  readonly digest: string
  readonly signature: string
  /** Pages by the object's name, in the order in which they are restored. */
  readonly pages: ReadonlyMap<string, readonly string[]>
  readonly bytes: ReadonlyMap<string, { readonly data: Uint8Array; readonly kv: string | null }>
}

let ticket: Promise<string> | null = null

/** The query that lets the tests read rows and bytes. */
async function ticketQuery(): Promise<string> {
  ticket ??= got<{ ticket: string }>(send('GET /admin/backup')).then((about) => about.ticket)
  return `ticket=${await ticket}`
}

export async function pagesOf(name: string): Promise<readonly string[]> {
  const pages: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: RowsPage = await got(
      send(`GET /admin/backup/rows?object=${name}${query}&${await ticketQuery()}`),
    )
    pages.push(page.text)
    cursor = page.next
  }
  return pages
}

export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** The tables in pages, by name. */
export function tablesIn(pages: readonly string[]): Readonly<Record<string, Table>> {
  const tables: Record<string, { columns: readonly string[]; rows: unknown[][] }> = {}
  let current: { rows: unknown[][] } | null = null
  for (const line of pages.join('').split('\n').filter(Boolean)) {
    const value = JSON.parse(line) as unknown[] | { table: string; columns: string[] }
    if (Array.isArray(value)) current?.rows.push(value)
    else current = tables[value.table] ??= { columns: value.columns, rows: [] }
  }
  return tables
}

function columnIn(pages: readonly string[], table: string, column: string): readonly unknown[] {
  const { columns = [], rows = [] } = tablesIn(pages)[table] ?? {}
  return rows.map((row) => row[columns.indexOf(column)])
}

async function bytesNamed(name: string): Promise<Uint8Array> {
  const response = await send(`GET /admin/backup/bytes/${name}?${await ticketQuery()}`)
  expect(response.status, name).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

export async function backUp(): Promise<Archive> {
  const { threads, hooks, endpoints, schedules, ...about } = await got<About & BackupContents & object>(
    send('GET /admin/backup'),
  )
  const names = Object.entries({ threads, endpoints, schedules, hooks }).flatMap(([kind, ids]) =>
    ids.map((id) => `${kind}/${id}`),
  )
  const pages = new Map<string, readonly string[]>()
  for (const name of ['catalog', 'workspace', ...names]) pages.set(name, await pagesOf(name))
  const bytes = new Map<string, { data: Uint8Array; kv: string | null }>()
  const catalog = pages.get('catalog') ?? []
  const kinds = columnIn(catalog, 'blobs', 'kind')
  for (const [nth, sha256] of columnIn(catalog, 'blobs', 'sha256').entries()) {
    const kv = kinds[nth] === 'body' || kinds[nth] === 'index' ? String(kinds[nth]) : null
    const name = `skills/own/${String(sha256)}`
    bytes.set(name, { data: await bytesNamed(name), kv })
  }
  const build = await got<{ data: string[] }>(send('GET /admin/backup/bytes'))
  for (const sha256 of build.data)
    bytes.set(`skills/build/${sha256}`, { data: await bytesNamed(`skills/build/${sha256}`), kv: null })
  for (const [name, ofObject] of pages)
    for (const key of columnIn(ofObject, 'objects', 'key')) {
      if (typeof key !== 'string') continue
      const file = `files/${key.slice(key.indexOf('/') + 1)}`
      expect(file).toContain(name.split('/')[1])
      bytes.set(file, { data: await bytesNamed(file), kv: null })
    }
  const digest = await sha256Hex(JSON.stringify([...pages]))
  const { archive } = about
  const { signature } = await got<{ signature: string }>(
    send('POST /admin/backup/sign', { body: { archive, digest } }),
  )
  const { format, workspace, checks } = about
  return { about: { format, archive, workspace, checks }, digest, signature, pages, bytes }
}

export function begin({ about, digest, signature }: Archive, ask: Ask = {}): Promise<Response> {
  return send('POST /admin/restore', { ...ask, body: { ...about, digest, signature } })
}

export async function putBytes(archive: Archive): Promise<void> {
  for (const [name, { data, kv }] of archive.bytes) {
    const sha256 = await sha256Hex(data.slice())
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': String(data.length) }
    const line = `PUT /admin/restore/bytes/${name}?sha256=${sha256}${kv === null ? '' : `&kv=${kv}`}`
    await got(send(line, { body: new Response(data.slice()).body ?? '', headers }))
  }
}

export async function putPage(name: string, text: string, query: string): Promise<Response> {
  const sha256 = await sha256Hex(text)
  const headers = { 'Content-Type': 'application/octet-stream' }
  return send(`PUT /admin/restore/rows?object=${name}&sha256=${sha256}${query}`, { body: text, headers })
}

export function rowsIn(pages: readonly string[]): number {
  return Object.values(tablesIn(pages)).reduce((sum, { rows }) => sum + rows.length, 0)
}

export async function putObject(name: string, pages: readonly string[]): Promise<void> {
  for (const [nth, text] of pages.entries()) {
    const isLast = nth === pages.length - 1
    const query = `${nth === 0 ? '&first=1' : ''}${isLast ? `&rows=${rowsIn(pages)}` : ''}`
    expect(await got(putPage(name, text, query))).toEqual({ object: name, restored: isLast })
  }
}

export function finish(missing: readonly string[] = []): Promise<Response> {
  return send('POST /admin/restore/finish', { body: { missing } })
}

/** Restores everything into the deployment, which must be empty. */
export async function restore(archive: Archive): Promise<void> {
  await got(begin(archive))
  await putBytes(archive)
  for (const [name, pages] of archive.pages) await putObject(name, pages)
  await got(finish())
}

/** A page with lines of JSON. */
export function pageOf(...lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
