// Restores an archive: bytes first, then the catalog and the workspace, then threads, and hooks last, so that nothing
// can start before everything is restored. Can be repeated after an interruption.

import { createHash } from 'node:crypto'

import type { Archive } from './archive-reader.ts'
import { WRITE_CONCURRENCY } from './limits.ts'
import type { ArchiveManifest } from './manifest.ts'
import { request, forEachBounded, type BackupPorts } from './ports.ts'

type BackedUpObject = ArchiveManifest['objects'][number]

const ORDER = ['catalog', 'workspace', 'threads', 'endpoints', 'schedules', 'hooks']

/** Begins or continues the restore of this archive. Rejects with the reason if the server refuses. */
export async function requestRestore({ manifest, signature }: Archive, ports: BackupPorts): Promise<void> {
  const { format, archive, workspace, checks } = manifest
  await request(ports, 'POST', '/admin/restore', { format, archive, workspace, checks, ...signature })
}

export async function putArchive(archive: Archive, ports: BackupPorts): Promise<void> {
  const { manifest } = archive
  let done = 0
  await forEachBounded(manifest.bytes, WRITE_CONCURRENCY, async ({ name, kv }) => {
    const bytes = await archive.read(name)
    const query = new URLSearchParams({ sha256: digestOf(bytes), ...(kv === null ? {} : { kv }) })
    await request(ports, 'PUT', `/admin/restore/bytes/${name}?${query}`, bytes)
    ports.progress.show(`${++done} of ${manifest.bytes.length} files`)
  })
  done = 0
  for (const kind of ORDER) {
    const objects = manifest.objects.filter(({ name }) => name.split('/')[0] === kind)
    await forEachBounded(objects, WRITE_CONCURRENCY, async (object) => {
      await putObject(archive, object, ports)
      ports.progress.show(`${++done} of ${manifest.objects.length} objects (${kind})`)
    })
  }
  await request(ports, 'POST', '/admin/restore/finish', { missing: manifest.missing })
}

async function putObject(
  archive: Archive,
  { name, pages, rows }: BackedUpObject,
  ports: BackupPorts,
): Promise<void> {
  for (const [nth, page] of pages.entries()) {
    const bytes = await archive.read(page)
    const query = new URLSearchParams({ object: name, sha256: digestOf(bytes) })
    if (nth === 0) query.set('first', '1')
    if (nth === pages.length - 1) query.set('rows', String(rows))
    if (archive.manifest.inexact.includes(name)) query.set('inexact', '1')
    const path = `/admin/restore/rows?${query}`
    const { restored } = await request<{ readonly restored: boolean }>(ports, 'PUT', path, bytes)
    if (restored) return
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
