// Creates threads without a message, and reads and writes the files of threads. Streams large files instead of loading them.

import { objects } from '../../env/env.ts'
import { filePath } from '../../files/path.ts'
import type { Caller } from '../../lib/caller.ts'
import { newId } from '../../lib/ids.ts'
import { err, fail, ok, type Result } from '../../lib/result.ts'
import { FILE_CEILING_BYTES } from '../../limits/settings.ts'
import type { FileContent, FileInfo, ThreadApi } from '../../thread/api.ts'
import type { FilePut } from '../../thread/files-api.ts'
import { queueAdmission } from '../admission/admission-queue.ts'
import { queueFileWrite } from '../admission/queues.ts'
import { tooLarge } from '../bodies/body.ts'
import { expectedContent, etag } from '../fields/conditions.ts'
import { fileHeaders, isKnown } from '../streams/download.ts'
import { invalidField } from '../problems/field-errors.ts'
import { encodingRefusal, readEmpty } from '../bodies/json-body.ts'
import { pageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { refuseOverRate } from '../admission/rate.ts'
import { rangeOf } from '../streams/ranges.ts'
import {
  empty,
  json,
  param,
  refuse,
  route,
  type HttpContext,
  type KeyedRoute,
  type Reply,
} from '../route/route.ts'
import { BodyBlocks } from '../upload/body-blocks.ts'
import { readForm } from '../upload/read-form.ts'
import { IncomingFile, type Destination } from '../upload/incoming-file.ts'
import { limitMessages } from './chat.ts'
import { threadOf } from './threads.ts'

const TOO_MANY_EMPTY = 'Too many threads without a message were created with this key. Wait, then try again.'

async function create(c: HttpContext, caller: Caller): Promise<Reply> {
  const rateCheck = limitMessages(c, caller)
  if (!rateCheck.ok) return rateCheck
  const emptyRefusal = refuseOverRate(
    c,
    c.env.MATCH_RATE,
    `empty ${caller.workspace}/${caller.keyId}`,
    TOO_MANY_EMPTY,
  )
  if (emptyRefusal) return emptyRefusal
  const body = await readEmpty(c.req.raw)
  if (!body.ok) return body
  const id = newId('th')
  const created = await queueAdmission(caller, async () =>
    objects(c.env).thread(caller.workspace, id).createEmpty(caller, id),
  )
  return created.ok ? json(created.value, 201, { Location: `/v1/threads/${id}` }) : created
}

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  const thread = threadOf(c, caller)
  if (!page.ok) return page
  if (!thread.ok) return thread
  const { cursor, limit } = page.value
  return thread.value.listFiles(caller, (c.req.query('prefix') ?? '').normalize('NFC'), cursor, limit)
}

/** The normalized path of the requested file. */
function pathOf(c: HttpContext): Result<string> {
  const path = isDecodable(c.req.url) ? filePath(param(c, 'path')) : err('It must be percent-encoded UTF-8.')
  return path.ok
    ? path
    : invalidField('path', 'must name a file', `The path does not name a file of a thread. ${path.error}`)
}

/** Whether the path is correctly encoded. The router leaves invalid escapes as text, which could be the name of another file. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(new URL(url).pathname)
    return true
  } catch {
    return false
  }
}

interface RequestedFile {
  readonly thread: ThreadApi
  readonly path: string
}

function requestedFile(c: HttpContext, caller: Caller): Result<RequestedFile> {
  const thread = threadOf(c, caller)
  if (!thread.ok) return thread
  const path = pathOf(c)
  return path.ok ? ok({ thread: thread.value, path: path.value }) : path
}

async function get(c: HttpContext, caller: Caller): Promise<Reply> {
  const requested = requestedFile(c, caller)
  if (!requested.ok) return requested
  const result = await requested.value.thread.fileContent(caller, requested.value.path)
  if (!result.ok) return result
  const { path, media_type, sha256, bytes } = result.value
  const headers = fileHeaders(path.split('/').at(-1) ?? '', media_type, sha256)
  if (isKnown(c, sha256))
    return new Response(null, { status: 304, headers: withoutHeader(headers, 'Content-Type') })
  if (c.req.method === 'HEAD')
    return new Response(null, { headers: { ...headers, 'Content-Length': String(bytes) } })
  const requestedRange = rangeOf(c.req.header('Range'), c.req.header('If-Range'), sha256, bytes)
  if (requestedRange === 'none') {
    const detail = `The requested range is outside the file, which has ${bytes} bytes.`
    const refusal = refuse(c, { code: 'bad_range', detail })
    refusal.headers.set('Content-Range', `bytes */${bytes}`)
    return refusal
  }
  const range = requestedRange === 'all' ? { offset: 0, length: bytes } : requestedRange
  const body = await bytesOf(c.env.FILES, result.value, range)
  if (body === null)
    return fail('internal', 'The content of this file has been lost. Upload the file again, or delete it.')
  headers['Content-Length'] = String(range.length)
  if (requestedRange === 'all') return new Response(body, { headers })
  headers['Content-Range'] = `bytes ${range.offset}-${range.offset + range.length - 1}/${bytes}`
  return new Response(body, { status: 206, headers })
}

function withoutHeader(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
}

/** The bytes of the range, or null if they are lost. Rejects if the store fails. */
async function bytesOf(
  bucket: R2Bucket,
  { data, key, bytes }: FileContent,
  range: { readonly offset: number; readonly length: number },
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null> {
  if (data) return data.slice(range.offset, range.offset + range.length)
  if (key === null) return null
  const result = await bucket.get(key, range.length === bytes ? {} : { range })
  return result && result.body
}

/** The destination of uploads. `close` ends the uploads that were not committed. */
type OpenDestination = Destination & { readonly close: () => void }

/** Creates the destination for uploads to a thread. `expect` is the required current state of the file. */
function destination(
  c: HttpContext,
  caller: Caller,
  thread: ThreadApi,
  path: string | null,
  expect?: string | null,
): OpenDestination {
  const uploads: Disposable[] = []
  return {
    bucket: c.env.FILES,
    key: `${caller.workspace}/${caller.keyId}`,
    stage: async (bytes) => {
      const staged = await thread.stageFile(caller, bytes, path, expect)
      if (staged.ok) uploads.push(staged.value.upload)
      return staged
    },
    onPartsStarted: async (object, upload) => thread.filePartsStarted(caller, object, upload),
    close: () => {
      for (const upload of uploads) upload[Symbol.dispose]()
    },
  }
}

async function put(c: HttpContext, caller: Caller): Promise<Reply> {
  const requested = requestedFile(c, caller)
  if (!requested.ok) return requested
  const { thread, path } = requested.value
  const encoding = encodingRefusal(c.req.raw.headers)
  if (encoding !== null) return fail('unsupported_media_type', encoding)
  const expect = expectedContent(c)
  if (!expect.ok) return expect
  const condition = expect.value === undefined ? {} : { expect: expect.value }
  const target = destination(c, caller, thread, path, expect.value)
  const written = await closeAfter(target, async () => {
    const body = await readFile(c.req.raw, target)
    if (!body.ok) return body
    const puts = [{ path, body: body.value, ...condition }]
    const put = await queueFileWrite(c, caller, async () => thread.putFiles(caller, puts))
    return !put.ok && put.error.code === 'invalid_request'
      ? invalidField('path', 'is not available for a file', put.error.detail)
      : put
  })
  if (!written.ok) return written
  const [file] = written.value
  if (!file)
    return fail('internal', 'The file was written, but its record is missing. Report the request_id.')
  const tag = etag(file.sha256)
  return file.created
    ? json(infoOf(file), 201, { ...tag, Location: file.href })
    : json(infoOf(file), 200, tag)
}

async function closeAfter<T>(target: OpenDestination, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    target.close()
  }
}

/** Reads a request body as one file. A large file is already in the store when this resolves. Rejects if the store fails. */
async function readFile(request: Request, target: Destination): Promise<Result<FilePut['body']>> {
  const announced = request.headers.get('Content-Length')
  const announcedBytes = announced !== null && /^\d{1,15}$/.test(announced) ? Number(announced) : null
  if (announcedBytes !== null && announcedBytes > FILE_CEILING_BYTES) return tooLarge(FILE_CEILING_BYTES)
  const file = new IncomingFile(target, announcedBytes)
  let blocks: BodyBlocks | null = null
  let isComplete = false
  try {
    const accepted = await file.announce()
    if (!accepted.ok) return accepted
    blocks = new BodyBlocks(request, FILE_CEILING_BYTES)
    for (;;) {
      const block = await blocks.next(file.heldBytes)
      if (!block.ok) return block
      if (!block.value) break
      const written = blocks.markIfTooSlow(await file.write(block.value))
      if (!written.ok) return written
    }
    const body = blocks.markIfTooSlow(await file.end())
    isComplete = body.ok
    return body
  } finally {
    blocks?.close()
    if (!isComplete) await file.abort()
  }
}

async function remove(c: HttpContext, caller: Caller): Promise<Reply> {
  const requested = requestedFile(c, caller)
  if (!requested.ok) return requested
  const expect = expectedContent(c)
  if (!expect.ok) return expect
  if (expect.value === null)
    return invalidField(
      'If-None-Match',
      'would require that there is no file to delete',
      'DELETE accepts only If-Match. Remove If-None-Match.',
    )
  const { thread, path } = requested.value
  const removed = await queueFileWrite(c, caller, async () =>
    thread.removeFile(caller, path, expect.value ?? null),
  )
  return removed.ok ? empty() : removed
}

async function upload(c: HttpContext, caller: Caller): Promise<Reply> {
  const thread = threadOf(c, caller)
  if (!thread.ok) return thread
  const { headers } = c.req.raw
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(headers.get('Content-Type') ?? ''))
    return fail(
      'unsupported_media_type',
      "Send files as multipart/form-data, for example with curl -F 'files[]=@data.csv'. To send raw bytes, use PUT …/files/uploads/data.csv.",
    )
  const encoding = encodingRefusal(headers)
  if (encoding !== null) return fail('unsupported_media_type', encoding)
  const target = destination(c, caller, thread.value, null)
  const written = await closeAfter(target, async () => {
    const puts = await readForm(c.req.raw, target)
    return puts.ok
      ? await queueFileWrite(c, caller, async () => thread.value.putFiles(caller, puts.value))
      : puts
  })
  if (!written.ok) return written
  return json({ data: written.value.map(infoOf) }, 201)
}

/** The fields of a file in the API, which are the same as in the list of files. */
function infoOf(file: FileInfo & { readonly created: boolean }): FileInfo {
  const { path, bytes, sha256, media_type, origin, created_at, updated_at, href } = file
  return { path, bytes, sha256, media_type, origin, created_at, updated_at, href }
}

const FILES_PATH = '/v1/threads/:t/files'
const FILE_PATH = `${FILES_PATH}/:path{.+}`

export const fileRoutes: readonly KeyedRoute[] = [
  route('chat', 'POST', '/v1/threads', create),
  route('chat', 'GET', FILES_PATH, list, [...PAGE_QUERY, 'prefix']),
  route('chat', 'POST', FILES_PATH, upload),
  route('chat', 'GET', FILE_PATH, get),
  route('chat', 'PUT', FILE_PATH, put),
  route('chat', 'DELETE', FILE_PATH, remove),
]
