// Guards uploads of large files: they are streamed and hashed, and stored with their exact bytes or not at all,
// whatever length is declared, however many arrive at once, and whatever happens to their thread meanwhile.

import { beforeAll, describe, expect, it } from 'vitest'
import { FILE_LOOSE_MAX_BYTES } from '../../src/files/limits.ts'
import { FILE_INLINE_MAX_BYTES, STAGED_FILE_RETENTION_MS, UPLOAD_PART_BYTES } from '../../src/limits/files.ts'
import { FILE_CEILING_BYTES, FILE_MAX_BYTES } from '../../src/limits/settings.ts'
import { got, makeKey, refused, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import {
  age,
  bytesOf,
  deletedLongAgo,
  digestOf,
  keptInR2,
  line,
  listed,
  MIB,
  newThread,
  patternAt,
  put,
  ring,
  staged,
  weigh,
  uploadsInParts,
} from './files-fixture.ts'

let key = ''

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  key = (await makeKey('chat', 'ann')).key
})

const length = (bytes: number): { headers: Record<string, string> } => ({
  headers: { 'Content-Length': String(bytes) },
})

async function comesBack(thread: string, path: string, bytes: number): Promise<void> {
  const { body } = await send(line('GET', thread, path), { key })
  expect(await digestOf(body)).toEqual(await digestOf(bytesOf(bytes)))
}

/** Checks that nothing was written; unreferenced bytes in R2 are deleted by the next sweep. */
async function nothingOf(thread: string): Promise<void> {
  expect(await listed(key, thread)).toEqual([])
  await age(thread, STAGED_FILE_RETENTION_MS + 1)
  await ring(thread)
  expect(await keptInR2(thread)).toEqual([])
}

describe('a large file', () => {
  it.each([
    ['of a known length', length(30 * MIB)],
    ['of an undeclared length', {}],
  ])('%s is stored and returned exactly', async (_, ask) => {
    const thread = await newThread(key)
    const info = await put(key, thread, 'uploads/large.bin', bytesOf(30 * MIB), ask)
    expect(info).toMatchObject(await digestOf(bytesOf(30 * MIB)))
    await comesBack(thread, 'uploads/large.bin', 30 * MIB)
    expect(await keptInR2(thread)).toHaveLength(1)
  })

  it('may have up to 100,000,000 bytes if the workspace allows it', async () => {
    const thread = await newThread(key)
    await refused(
      send(line('PUT', thread, 'uploads/x'), {
        key,
        body: bytesOf(FILE_CEILING_BYTES),
        ...length(FILE_CEILING_BYTES),
      }),
      413,
      'too_large',
    )
    await got(send('PATCH /admin/settings', { body: { files: { max_file_bytes: FILE_CEILING_BYTES } } }))
    for (const [path, ask] of [
      ['uploads/known', length],
      ['uploads/unknown', () => ({})],
    ] as const) {
      await put(key, thread, path, bytesOf(FILE_CEILING_BYTES), ask(FILE_CEILING_BYTES))
      await comesBack(thread, path, FILE_CEILING_BYTES)
      const more = { key, body: bytesOf(FILE_CEILING_BYTES + 1), ...ask(FILE_CEILING_BYTES + 1) }
      await refused(send(line('PUT', thread, 'uploads/more'), more), 413, 'too_large')
    }
    await got(send('PATCH /admin/settings', { body: { files: null } }))
  })

  const EDGES = [
    FILE_INLINE_MAX_BYTES - 1,
    FILE_INLINE_MAX_BYTES,
    FILE_INLINE_MAX_BYTES + 1,
    UPLOAD_PART_BYTES - 1,
    UPLOAD_PART_BYTES,
    UPLOAD_PART_BYTES + 1,
    2 * UPLOAD_PART_BYTES,
    FILE_MAX_BYTES,
  ]

  it.each(EDGES)('of %i bytes is stored as sent, in chunks of any size', async (bytes) => {
    const thread = await newThread(key)
    for (const [name, ask] of Object.entries({ known: length(bytes), unknown: {} })) {
      const piece = bytes > 6 * MIB ? 100_003 : 7_777
      await put(key, thread, `uploads/${name}`, bytesOf(bytes, 'closes', piece), ask)
      await comesBack(thread, `uploads/${name}`, bytes)
    }
  })

  it('that replaces another keeps that one complete while it may still be read', async () => {
    const thread = await newThread(key)
    await put(key, thread, 'uploads/x.bin', bytesOf(300_000))
    const reading = await send(line('GET', thread, 'uploads/x.bin'), { key })
    await put(key, thread, 'uploads/x.bin', bytesOf(200_000), { status: 200 })
    expect(await digestOf(reading.body)).toEqual(await digestOf(bytesOf(300_000)))
    await comesBack(thread, 'uploads/x.bin', 200_000)
    expect(await keptInR2(thread)).toHaveLength(2)
    await age(thread, STAGED_FILE_RETENTION_MS + 1)
    await ring(thread)
    expect(await keptInR2(thread)).toHaveLength(1)
  })

  it('is exact as one of twenty at once', async () => {
    const thread = await newThread(key)
    const sizes = Array.from({ length: 20 }, (_, at) => 6 * MIB + at * 1_001)
    await Promise.all(
      sizes.map(async (bytes, at) =>
        put(key, thread, `uploads/${at}`, bytesOf(bytes), at % 2 === 0 ? length(bytes) : {}),
      ),
    )
    await Promise.all(sizes.map(async (bytes, at) => comesBack(thread, `uploads/${at}`, bytes)))
  })
})

describe('a declared length', () => {
  it.each([10, 200_000, 6 * MIB])('that differs from %i bytes is refused', async (bytes) => {
    const thread = await newThread(key)
    for (const wrong of [bytes - 1, bytes + 1, bytes * 2, 0]) {
      const ask = { key, body: bytesOf(bytes), ...length(wrong) }
      const problem = await refused(send(line('PUT', thread, 'uploads/x'), ask), 422, 'invalid_request')
      expect(problem.errors?.[0]?.path).toBe('Content-Length')
    }
    await nothingOf(thread)
  })

  it('that is too large is refused before anything is read', async () => {
    const thread = await newThread(key)
    const requested = async (bytes: number, code: string): Promise<void> => {
      const body = new ReadableStream({ pull: () => new Promise(() => undefined) }, { highWaterMark: 0 })
      await refused(send(line('PUT', thread, 'uploads/x'), { key, body, ...length(bytes) }), 413, code)
    }
    await requested(FILE_MAX_BYTES + 1, 'too_large')
    await got(send('PATCH /admin/settings', { body: { files: { max_file_bytes: 300_000 } } }))
    await requested(300_001, 'too_large')
    await got(send('PATCH /admin/settings', { body: { files: { max_thread_bytes: 500_000 } } }))
    await put(key, thread, 'uploads/first', bytesOf(250_000))
    await requested(250_001, 'storage_full')
    await got(send('PATCH /admin/settings', { body: { files: { max_files: 1 } } }))
    await requested(200_000, 'storage_full')
    // A replacement needs only its own space.
    await put(key, thread, 'uploads/first', bytesOf(300_000), { ...length(300_000), status: 200 })
    await got(send('PATCH /admin/settings', { body: { files: null } }))
  })
})

describe('a failed condition', () => {
  it('is reported before anything is read, and nothing is staged', async () => {
    const thread = await newThread(key)
    const { sha256 } = await put(key, thread, 'uploads/x', 'one')
    await put(key, thread, 'uploads/x', 'two', { status: 200 })
    for (const headers of [{ 'If-Match': `"${sha256}"` }, { 'If-None-Match': '*' }]) {
      let requested = 0
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(patternAt(65_536 * requested++, 65_536)),
      })
      const ask = { key, body, headers: { ...headers, 'Content-Length': String(30 * MIB) } }
      await refused(send(line('PUT', thread, 'uploads/x'), ask), 412, 'stale_version')
      expect(requested).toBeLessThan(4)
      // The length is unknown: the refusal comes once the body is known to be too large.
      const unknown = { key, body: bytesOf(30 * MIB), headers }
      await refused(send(line('PUT', thread, 'uploads/x'), unknown), 412, 'stale_version')
    }
    expect(await staged(thread)).toBe(0)
    expect(await keptInR2(thread)).toEqual([])
  })
})

describe('replaced and failed uploads', () => {
  it('are bounded until they are swept, and the refusal has a retry time', async () => {
    const thread = await newThread(key)
    await put(key, thread, 'uploads/x', bytesOf(200_000))
    await put(key, thread, 'uploads/x', bytesOf(200_001), { status: 200 })
    await weigh(thread, FILE_LOOSE_MAX_BYTES - UPLOAD_PART_BYTES)
    await put(key, thread, 'uploads/y', bytesOf(200_000), length(200_000))
    // Once its first part is sent, it may grow to 32 MiB.
    const ask = { key, body: bytesOf(6 * MIB) }
    const grown = await send(line('PUT', thread, 'uploads/z'), ask)
    await refused(Promise.resolve(grown.clone()), 413, 'storage_full')
    const answer = await send(line('PUT', thread, 'uploads/z'), { key, body: bytesOf(200_000) })
    await refused(Promise.resolve(answer.clone()), 413, 'storage_full')
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    // A small file needs no such place.
    await put(key, thread, 'uploads/small', 'small')
    await age(thread, STAGED_FILE_RETENTION_MS + 1)
    await ring(thread)
    await put(key, thread, 'uploads/z', bytesOf(6 * MIB))
  })
})

describe('an upload that grows beyond its quota without a declared length', () => {
  it('is cut off there, and none of it is kept', async () => {
    const thread = await newThread(key)
    const ask = { key, body: bytesOf(FILE_MAX_BYTES + 1) }
    await refused(send(line('PUT', thread, 'uploads/x'), ask), 413, 'too_large')
    await got(send('PATCH /admin/settings', { body: { files: { max_file_bytes: 1 * MIB } } }))
    const endless = { key, body: bytesOf(Number.POSITIVE_INFINITY) }
    await refused(send(line('PUT', thread, 'uploads/x'), endless), 413, 'too_large')
    await got(send('PATCH /admin/settings', { body: { files: null } }))
    await nothingOf(thread)
  })
})

describe('an interrupted body', () => {
  it.each([0, 1_000, 200_000, 7 * MIB])('after %i bytes leaves nothing', async (bytes) => {
    const thread = await newThread(key)
    for (const ask of [{}, length(bytes + 1_000), length(8 * MIB)])
      await refused(
        send(line('PUT', thread, 'uploads/x'), { key, body: bytesOf(bytes, 'breaks'), ...ask }),
        422,
        'invalid_request',
      )
    await nothingOf(thread)
  })

  it('leaves the existing file as it was', async () => {
    const thread = await newThread(key)
    await put(key, thread, 'uploads/x', bytesOf(300_000))
    for (const ask of [{}, length(8 * MIB)])
      await send(line('PUT', thread, 'uploads/x'), { key, body: bytesOf(7 * MIB, 'breaks'), ...ask })
    await comesBack(thread, 'uploads/x', 300_000)
  })
})

describe('slow uploads of one key', () => {
  it('do not block another key: each holds a part in memory, and a key at most two', async () => {
    const thread = await newThread(key)
    const gate = Promise.withResolvers<void>()
    let sent = 0
    const slow = Array.from({ length: 8 }, async (_, at) => {
      let pieces = 0
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (pieces++ < 4) return controller.enqueue(patternAt(0, 65_536))
          sent += 1
          await gate.promise
          controller.close()
        },
      })
      return put(key, thread, `uploads/slow-${at}`, body)
    })
    // The other uploads wait for a part.
    await eventually(() => sent >= 2)
    const other = (await makeKey('chat', 'ben')).key
    // It ends while the slow uploads are still held.
    await put(other, await newThread(other), 'uploads/x', bytesOf(12 * MIB))
    gate.resolve()
    for (const { bytes } of await Promise.all(slow)) expect(bytes).toBe(4 * 65_536)
  })
})

describe('a multipart upload whose sender disconnects', () => {
  // After its client has gone, nothing of a request runs any more, so the upload hangs forever.
  async function hanging(thread: string): Promise<R2MultipartUpload> {
    const ask = { key, body: bytesOf(7 * MIB, 'hangs') }
    send(line('PUT', thread, 'uploads/x'), ask).catch(() => undefined)
    await eventually(async () => (await uploadsInParts(thread)).length === 1)
    const [upload] = await uploadsInParts(thread)
    if (!upload) throw new Error('no upload')
    await upload.uploadPart(2, new Uint8Array(5 * MIB))
    return upload
  }
  const isOver = async (upload: R2MultipartUpload): Promise<void> =>
    expect(upload.uploadPart(3, new Uint8Array(5 * MIB))).rejects.toThrow('10024')

  it('is aborted by the sweep', async () => {
    const thread = await newThread(key)
    const upload = await hanging(thread)
    await age(thread, STAGED_FILE_RETENTION_MS + 1)
    await ring(thread)
    await isOver(upload)
    expect(await uploadsInParts(thread)).toEqual([])
  })

  it('is aborted after its thread was deleted', async () => {
    const thread = await newThread(key)
    const upload = await hanging(thread)
    expect((await send(`DELETE /v1/threads/${thread}`, { key })).status).toBe(204)
    await deletedLongAgo(thread)
    await ring(thread)
    await isOver(upload)
  })

  it('is not waited for once it is complete', async () => {
    // The uploads above hold all places of their key.
    const other = (await makeKey('chat', 'cleo')).key
    const thread = await newThread(other)
    await put(other, thread, 'uploads/x', bytesOf(7 * MIB))
    expect(await uploadsInParts(thread)).toEqual([])
  })
})

describe('a thread that is deleted during an upload', () => {
  it.each([
    ['of a known length', length(6 * MIB)],
    ['of an unknown one', {}],
  ])('%s: the file is refused, and R2 is empty after the sweep', async (_, ask) => {
    // The uploads above hold all places of their key.
    const { key: own } = await makeKey('chat', 'dan')
    const thread = await newThread(own)
    const gate = Promise.withResolvers<void>()
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (at === 5 * MIB + 65_536) await gate.promise
        if (at === 6 * MIB) return controller.close()
        controller.enqueue(patternAt(at, 65_536))
        at += 65_536
      },
    })
    const coming = send(line('PUT', thread, 'uploads/x'), { key: own, body, ...ask })
    await eventually(() => at > 5 * MIB)
    expect((await send(`DELETE /v1/threads/${thread}`, { key: own })).status).toBe(204)
    gate.resolve()
    await refused(coming, 404, 'not_found')
    await refused(send(line('GET', thread, 'uploads/x'), { key: own }), 404, 'not_found')
    await deletedLongAgo(thread)
    await ring(thread)
    expect(await keptInR2(thread)).toEqual([])
  })
})
