// Guards file uploads by form: all files are stored or none, each with its exact bytes under a clean, unique name. A
// form that is incomplete or holds anything else writes nothing.

import { beforeAll, describe, expect, it } from 'vitest'
import { joinBytes, utf8 } from '../../src/lib/bytes.ts'
import {
  FORM_FILES_MAX,
  FORM_FILES_TOTAL_MAX_BYTES,
  FORM_HEADERS_MAX_BYTES,
} from '../../src/api/upload/limits.ts'
import { STAGED_FILE_RETENTION_MS } from '../../src/limits/files.ts'
import type { FileInfo } from '../../src/thread/api.ts'
import { Client } from '../../src/client/client.ts'
import { got, makeKey, refused, send, serveSkills } from './api-fixture.ts'
import {
  age,
  BOUNDARY,
  bytesOf,
  digestOf,
  FORM,
  formOf,
  inPieces,
  keptInR2,
  line,
  listed,
  MIB,
  newThread,
  patternAt,
  put,
  ring,
  sendForm,
  type TestPart,
} from './files-fixture.ts'

let key = ''

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  key = (await makeKey('chat', 'ann')).key
})

async function paths(answer: Promise<Response>): Promise<readonly string[]> {
  return (await got<{ data: FileInfo[] }>(answer, 201)).data.map(({ path }) => path)
}

/** A form with one large file, generated while it is read. */
function formAround(bytes: number, name = 'large.bin'): ReadableStream<Uint8Array> {
  const before = utf8(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`,
  )
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  void (async () => {
    const writer = writable.getWriter()
    await writer.write(before)
    writer.releaseLock()
    await bytesOf(bytes).pipeTo(writable, { preventClose: true })
    const last = writable.getWriter()
    await last.write(utf8(`\r\n--${BOUNDARY}--\r\n`))
    await last.close()
  })().catch(() => undefined)
  return readable
}

describe('a form of files', () => {
  it('is stored in uploads/, each file with its bytes, in order', async () => {
    const thread = await newThread(key)
    const parts: TestPart[] = [
      { field: 'file', name: 'a.csv', data: 'a,b' },
      { field: 'files', name: 'b.bin', data: patternAt(0, 300_000) },
      { field: 'files[]', name: 'empty.txt', data: '' },
      { field: 'files[]', name: 'dashes.txt', data: `\r\n--${BOUNDARY.slice(0, -1)}\r\n--\r\n-` },
    ]
    const { data } = await got<{ data: FileInfo[] }>(sendForm(key, thread, parts), 201)
    expect(data.map(({ path, bytes }) => [path, bytes])).toEqual(
      parts.map(({ name, data: { length } }) => [`uploads/${name}`, length]),
    )
    expect(await listed(key, thread)).toEqual(data.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    for (const { name, data: sent } of parts) {
      const response = await send(line('GET', thread, `uploads/${name}`), { key })
      const bytes = typeof sent === 'string' ? utf8(sent) : sent
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    }
  })

  it('of 30 MB is stored exactly, and so are twenty forms at once', async () => {
    const thread = await newThread(key)
    const [path] = await paths(send(line('POST', thread), { key, headers: FORM, body: formAround(30 * MIB) }))
    const { body } = await send(line('GET', thread, path), { key })
    expect(await digestOf(body)).toEqual(await digestOf(bytesOf(30 * MIB)))
    const many = Array.from({ length: 20 }, (_, at) => 6 * MIB + at)
    const sent = await Promise.all(
      many.map(async (bytes, at) =>
        paths(send(line('POST', thread), { key, headers: FORM, body: formAround(bytes, `${at}.bin`) })),
      ),
    )
    const files = await listed(key, thread, '?limit=100')
    for (const [at, [one]] of sent.entries())
      expect(files.find((file) => file.path === one)).toMatchObject(await digestOf(bytesOf(many[at] ?? 0)))
  })

  it('may contain many small files, more than stay in memory', async () => {
    const thread = await newThread(key)
    const parts = Array.from({ length: FORM_FILES_MAX }, (_, at) => ({
      name: `${at}.bin`,
      data: patternAt(at, 100_000),
    }))
    expect(await paths(sendForm(key, thread, parts))).toHaveLength(FORM_FILES_MAX)
    for (const { name, data } of parts) {
      const response = await send(line('GET', thread, `uploads/${name}`), { key })
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(data)
    }
  })

  it('is what the client sends, lists and downloads', async () => {
    const client = new Client({
      url: 'http://api.test',
      key,
      fetch: async (url, init) => {
        const { method, headers, body } = new Request(url, init)
        const type = headers.get('Content-Type')
        const sent = type === null ? {} : { headers: { 'Content-Type': type } }
        const path = url.slice('http://api.test'.length)
        return send(`${method} ${path}`, { key, ...sent, ...(body ? { body } : {}) })
      },
      wait: async () => undefined,
    })
    const thread = await client.createThread()
    if (!thread.ok) throw new Error(JSON.stringify(thread.error))
    const data = patternAt(7, 200_000)
    const sent = await client.upload(thread.value, [
      { name: 'über uns.txt', data: utf8('x') },
      { name: 'b.bin', data },
    ])
    expect(sent).toMatchObject({
      ok: true,
      value: [{ path: 'uploads/über uns.txt' }, { path: 'uploads/b.bin' }],
    })
    expect(await client.listFiles(thread.value, 'uploads/')).toMatchObject({ ok: true, value: { length: 2 } })
    const file = await client.requestFile(thread.value, 'uploads/b.bin')
    expect(file.ok && new Uint8Array(await file.value.arrayBuffer())).toEqual(data)
    expect(await client.requestFile(thread.value, 'uploads/none')).toMatchObject({
      ok: false,
      error: { kind: 'problem', problem: { code: 'not_found' } },
    })
  })
})

// Names as clients write them, and the resulting paths.
const NAMES: Readonly<Record<string, string>> = {
  'plain.txt': 'plain.txt',
  '/etc/passwd': 'passwd',
  '../../x.txt': 'x.txt',
  'C:\\Users\\ann\\notes.txt': 'notes.txt',
  'e\u0301.txt': 'é.txt',
  '日本語 のファイル.pdf': '日本語 のファイル.pdf',
  'a%22b.txt': 'a"b.txt',
  'a\\"b.txt': 'a"b.txt',
  'semi;colon=1.txt': 'semi;colon=1.txt',
  '%0D%0Ax.txt': 'x.txt',
  '100%25.txt': '100%25.txt',
}

describe('a name', () => {
  it.each(Object.entries(NAMES))('%j is kept as %j', async (name, kept) => {
    const thread = await newThread(key)
    expect(await paths(sendForm(key, thread, [{ name, data: 'x' }]))).toEqual([`uploads/${kept}`])
  })

  it('may be encoded (RFC 8187), which takes precedence', async () => {
    const thread = await newThread(key)
    const head = `Content-Disposition: form-data; name=file; filename="x.txt"; filename*=UTF-8''%e2%82%ac%20rates.txt`
    expect(await paths(sendForm(key, thread, [{ head, data: 'x' }]))).toEqual(['uploads/€ rates.txt'])
  })

  it('that is taken gets a number, whatever its length and case', async () => {
    const thread = await newThread(key)
    const long = `${'é'.repeat(120)}.tar.gz`
    await put(key, thread, 'uploads/a.csv', 'first')
    const parts = ['a.csv', 'A.CSV', 'a.csv', '.hidden', '.hidden', 'x', 'x', long, long].map((name) => ({
      name,
      data: name,
    }))
    expect(await paths(sendForm(key, thread, parts))).toEqual([
      'uploads/a (2).csv',
      'uploads/A (3).CSV',
      'uploads/a (4).csv',
      'uploads/.hidden',
      'uploads/.hidden (2)',
      'uploads/x',
      'uploads/x (2)',
      `uploads/${long}`,
      `uploads/${'é'.repeat(120)}.tar (2).gz`,
    ])
    expect(await (await send(line('GET', thread, 'uploads/a.csv'), { key })).text()).toBe('first')
    const longest = `${'n'.repeat(251)}.txt`
    expect(
      await paths(
        sendForm(
          key,
          thread,
          [longest, longest].map((name) => ({ name, data: '' })),
        ),
      ),
    ).toEqual([`uploads/${longest}`, `uploads/${'n'.repeat(247)} (2).txt`])
  })

  it('that is taken by a folder gets a number, too', async () => {
    const thread = await newThread(key)
    await put(key, thread, 'uploads/reports/a.csv', 'x')
    const parts = ['reports', 'Reports'].map((name) => ({ name, data: name }))
    expect(await paths(sendForm(key, thread, parts))).toEqual(['uploads/reports (2)', 'uploads/Reports (3)'])
  })

  it.each(['', '..', '.', 'a/', 'a\\', '\u202Etxt.exe', 'n'.repeat(256), 'a\u0000b'])(
    '%j is invalid',
    async (name) => {
      const thread = await newThread(key)
      const parts = [
        { name: 'fine.txt', data: 'x' },
        { name, data: 'x' },
      ]
      await refused(sendForm(key, thread, parts), 422, 'invalid_request')
      expect(await listed(key, thread)).toEqual([])
    },
  )
})

const file = (name = 'a.txt', data: string | Uint8Array = 'x'): TestPart => ({ name, data })
const END = `--${BOUNDARY}--\r\n`

/** Invalid or incorrect forms, each after a complete large file. */
const BAD: Readonly<
  Record<string, readonly [parts: readonly TestPart[], path: string | null, end?: string]>
> = {
  'no last boundary': [[file()], 'body', ''],
  'half a last boundary': [[file()], 'body', `--${BOUNDARY.slice(0, 10)}`],
  'a last boundary without its dashes': [[file()], 'body', `--${BOUNDARY}`],
  'a last boundary with one dash': [[file()], 'body', `--${BOUNDARY}-`],
  'a truncated header': [[file()], 'body', `--${BOUNDARY}\r\nContent-Disposition: form-da`],
  'a field without a file name': [[{ data: 'x' }], 'files[]'],
  'a file without a name': [[{ field: 'files[]', name: '', data: '' }], 'files[]'],
  'a path that ends with a slash': [[{ field: 'files[]', name: 'a/', data: 'x' }], 'files[]'],
  'an unknown field': [[{ field: 'note', name: 'a.txt', data: 'x' }], 'note'],
  'a text field': [[{ field: 'note', data: 'hello' }], 'note'],
  'a field with a path': [[{ field: 'files[a/b.txt]', name: 'a.txt', data: 'x' }], 'files[a/b.txt]'],
  'no disposition': [[{ head: 'Content-Type: text/plain', data: 'x' }], null],
  'two dispositions': [
    [
      {
        head: 'Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Disposition: form-data; name="file"; filename="b"',
        data: 'x',
      },
    ],
    null,
  ],
  'another disposition': [
    [{ head: 'Content-Disposition: attachment; name="file"; filename="a"', data: 'x' }],
    null,
  ],
  'a disposition without a name': [
    [{ head: 'Content-Disposition: form-data; filename="a"', data: 'x' }],
    null,
  ],
  'an invalid header': [[{ head: 'nonsense', data: 'x' }], null],
  'a header without an end': [
    [{ head: 'Content-Disposition: form-data; name="file"', data: '' }, file()],
    null,
  ],
  'a last header without an end': [
    [file()],
    null,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="b"\r\n${END}`,
  ],
  'a header of 100 KB': [[{ head: `X-Long: ${'x'.repeat(100_000)}`, data: 'x' }], null],
  'a thousand headers': [
    [{ head: Array.from({ length: 1_000 }, (_, at) => `X-${at}: 1`).join('\r\n'), data: 'x' }],
    null,
  ],
}

describe('a form is refused whole', () => {
  it.each(Object.entries(BAD))('for %s', async (_, [parts, path, end = END]) => {
    const thread = await newThread(key)
    await put(key, thread, 'uploads/there.txt', 'x')
    const all = [file('large.bin', patternAt(0, 200_000)), ...parts]
    for (const piece of [65_536, 100_000, 1_000]) {
      const body = inPieces(formOf(all, end), piece)
      const problem = await refused(
        send(line('POST', thread), { key, headers: FORM, body }),
        422,
        'invalid_request',
      )
      if (path !== null) expect(problem.errors?.[0]?.path).toBe(path)
    }
    expect((await listed(key, thread)).map((one) => one.path)).toEqual(['uploads/there.txt'])
    await age(thread, STAGED_FILE_RETENTION_MS + 1)
    await ring(thread)
    expect(await keptInR2(thread)).toEqual([])
  })

  it('for too many files, and for too many bytes', async () => {
    const thread = await newThread(key)
    const many = Array.from({ length: FORM_FILES_MAX + 1 }, (_, at) => file(`${at}`))
    await refused(sendForm(key, thread, many), 413, 'too_large')
    const ask = { key, headers: FORM }
    const body = (): ReadableStream => formAround(FORM_FILES_TOTAL_MAX_BYTES + 1)
    await refused(send(line('POST', thread), { ...ask, body: body() }), 413, 'too_large')
    // Before anything is read.
    const silent = new ReadableStream({ pull: () => new Promise(() => undefined) }, { highWaterMark: 0 })
    const headers = {
      ...FORM,
      'Content-Length': String(FORM_FILES_TOTAL_MAX_BYTES + FORM_HEADERS_MAX_BYTES + 1),
    }
    await refused(send(line('POST', thread), { key, headers, body: silent }), 413, 'too_large')
    expect(await listed(key, thread)).toEqual([])
  })

  it('for one file more than the thread may keep', async () => {
    const thread = await newThread(key)
    await got(send('PATCH /admin/settings', { body: { files: { max_files: 2 } } }))
    await refused(sendForm(key, thread, [file('a'), file('b'), file('c')]), 413, 'storage_full')
    expect(await listed(key, thread)).toEqual([])
    expect(await paths(sendForm(key, thread, [file('a'), file('b')]))).toHaveLength(2)
    await got(send('PATCH /admin/settings', { body: { files: null } }))
  })

  it('when it is empty, or not a form', async () => {
    const thread = await newThread(key)
    const form = async (body: string, type: string): Promise<Response> =>
      send(line('POST', thread), { key, body, headers: { 'Content-Type': type } })
    for (const body of ['', END, `preamble\r\n${END}`, '\r\n', 'x'.repeat(100)])
      await refused(form(body, FORM['Content-Type']), 422, 'invalid_request')
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary="',
    ])
      await refused(form(END, type), 422, 'invalid_request')
    for (const type of ['application/json', 'text/plain', 'multipart/mixed; boundary=x', ''])
      await refused(form(END, type), 415, 'unsupported_media_type')
  })
})

describe('a boundary', () => {
  it.each(['x', 'a--', '-', `${'b'.repeat(70)}`, "quo'ted()+_,./:=?"])(
    '%s separates the files',
    async (boundary) => {
      const thread = await newThread(key)
      const text = new TextDecoder()
        .decode(formOf([file('a', '--'), file('b', '\r\n-')]))
        .replaceAll(BOUNDARY, boundary)
      const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` }
      for (const piece of [1, 3, 65_536]) {
        const body = inPieces(joinBytes([utf8(text)]), piece)
        expect(await paths(send(line('POST', thread), { key, headers, body }))).toHaveLength(2)
      }
      expect((await listed(key, thread)).map(({ bytes }) => bytes)).toEqual([2, 2, 2, 3, 3, 3])
    },
  )
})
