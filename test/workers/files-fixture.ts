// A thread's files as a client sends and gets them: bodies of any length and form, and what a thread stores of them.

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { joinBytes, utf8 } from '../../src/lib/bytes.ts'
import type { FileInfo, Page } from '../../src/thread/api.ts'
import { STAGED_FILE_RETENTION_MS } from '../../src/limits/files.ts'
import { got, send, type Ask } from './api-fixture.ts'

export const MIB = 1_048_576

/** An empty thread of this key. */
export async function newThread(key: string): Promise<string> {
  return (await got<{ thread_id: string }>(send('POST /v1/threads', { key }), 201)).thread_id
}

/** `line('PUT', thread, 'uploads/a.txt')` */
export function line(method: string, thread: string, path = ''): string {
  return `${method} /v1/threads/${thread}/files${path === '' ? '' : `/${path}`}`
}

export async function put(
  key: string,
  thread: string,
  path: string,
  body: string | ReadableStream,
  ask: Ask & { readonly status?: number } = {},
): Promise<FileInfo> {
  return got<FileInfo>(send(line('PUT', thread, path), { ...ask, key, body }), ask.status ?? 201)
}

export async function listed(key: string, thread: string, query = ''): Promise<readonly FileInfo[]> {
  return (await got<Page<FileInfo>>(send(`${line('GET', thread)}${query}`, { key }))).data
}

/**
 * `bytes` bytes in pieces of 64 KiB, the same each time and different at each place; then `after` decides how the body
 * ends.
 */
export function bytesOf(bytes: number, after: 'closes' | 'breaks' | 'hangs' = 'closes', piece = 65_536) {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < bytes) {
        const length = Math.min(piece, bytes - at)
        controller.enqueue(patternAt(at, length))
        at += length
      } else if (after === 'closes') controller.close()
      else if (after === 'breaks') controller.error(new Error('the line is cut'))
      else return new Promise(() => undefined)
    },
  })
}

/** The bytes of `bytesOf` from an offset on. */
export function patternAt(offset: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at++) {
    const position = offset + at
    bytes[at] = (position ^ (position >> 8) ^ (position >> 16)) & 255
  }
  return bytes
}

/** The sha-256 and the length of a body. */
export async function digestOf(
  body: ReadableStream<Uint8Array> | null,
): Promise<{ sha256: string; bytes: number }> {
  const stream = new crypto.DigestStream('SHA-256')
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      controller.enqueue(chunk)
    },
  })
  await (body ?? new Blob([]).stream()).pipeThrough(counted).pipeTo(stream)
  const digest = new Uint8Array(await stream.digest)
  return { sha256: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''), bytes }
}

export const BOUNDARY = '----WebKitFormBoundaryTest'
export const FORM = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }

export interface TestPart {
  readonly head?: string
  readonly field?: string
  readonly name?: string
  readonly data: Uint8Array | string
}

function partHead({ head, field = 'files[]', name }: TestPart): string {
  const disposition = `form-data; name="${field}"${name === undefined ? '' : `; filename="${name}"`}`
  return head ?? `Content-Disposition: ${disposition}\r\nContent-Type: text/plain`
}

/** A form as browsers send it. */
export function formOf(parts: readonly TestPart[], end = `--${BOUNDARY}--\r\n`): Uint8Array<ArrayBuffer> {
  const pieces = parts.flatMap((part) => [
    utf8(`--${BOUNDARY}\r\n${partHead(part)}\r\n\r\n`),
    typeof part.data === 'string' ? utf8(part.data) : part.data,
    utf8('\r\n'),
  ])
  return joinBytes([...pieces, utf8(end)])
}

/** Bytes in pieces of this size. */
export function inPieces(bytes: Uint8Array, piece = 65_536): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + piece))
      at += piece
    },
  })
}

export async function sendForm(
  key: string,
  thread: string,
  parts: readonly TestPart[],
  end?: string,
): Promise<Response> {
  return send(line('POST', thread), { key, headers: FORM, body: inPieces(formOf(parts, end)) })
}

/** The keys in R2 that belong to this thread. */
export async function keptInR2(thread: string, workspace = 'default'): Promise<readonly string[]> {
  const { objects: found } = await env.FILES.list({ prefix: `${workspace}/${thread}/` })
  return found.map(({ key }) => key)
}

/** The multipart uploads in the thread's rows. */
export async function uploadsInParts(
  thread: string,
  workspace = 'default',
): Promise<readonly R2MultipartUpload[]> {
  const rows = await runInDurableObject(env.THREADS.getByName(`${workspace}/${thread}`), (_, { storage }) =>
    storage.sql
      .exec<{ key: string; upload: string }>('SELECT key, upload FROM objects WHERE upload IS NOT NULL')
      .toArray(),
  )
  return rows.map(({ key, upload }) => env.FILES.resumeMultipartUpload(key, upload))
}

/** The number of objects in the thread's rows that no file needs. */
export async function staged(thread: string, workspace = 'default'): Promise<number> {
  return runInDurableObject(
    env.THREADS.getByName(`${workspace}/${thread}`),
    (_, { storage }) => storage.sql.exec('SELECT 1 FROM objects WHERE loose_at > 0').toArray().length,
  )
}

/** Sets the size of unneeded objects to this many bytes. */
export async function weigh(thread: string, bytes: number, workspace = 'default'): Promise<void> {
  await runInDurableObject(env.THREADS.getByName(`${workspace}/${thread}`), (_, { storage }) => {
    storage.sql.exec('UPDATE objects SET bytes = ? WHERE loose_at > 0', bytes)
  })
}

/** Runs the thread's alarm, if there is one. */
export async function ring(thread: string, workspace = 'default'): Promise<boolean> {
  return runDurableObjectAlarm(env.THREADS.getByName(`${workspace}/${thread}`))
}

/** Sets the times in the rows back by `ms`, as if that much time had passed. */
export async function age(thread: string, ms: number, workspace = 'default'): Promise<void> {
  await runInDurableObject(env.THREADS.getByName(`${workspace}/${thread}`), (_, { storage }) => {
    storage.sql.exec('UPDATE objects SET loose_at = loose_at - ? WHERE loose_at > 0', ms)
  })
}

/** Sets the mark of the thread's deletion back by the maximum duration of an upload. */
export async function deletedLongAgo(thread: string, workspace = 'default'): Promise<void> {
  await runInDurableObject(env.THREADS.getByName(`${workspace}/${thread}`), (_, { storage }) => {
    storage.sql.exec('UPDATE deletion SET at = at - ?', STAGED_FILE_RETENTION_MS)
  })
}
