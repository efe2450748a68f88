// Guards file downloads: exactly the requested bytes, valid validators, and headers that keep browsers from running a
// file or guessing its type.

import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { joinBytes, utf8 } from '../../src/lib/bytes.ts'
import type { FileInfo } from '../../src/thread/api.ts'
import { makeKey, refused, send, serveSkills } from './api-fixture.ts'
import { bytesOf, line, MIB, newThread, patternAt, put } from './files-fixture.ts'

const SMALL = 1_000
const LARGE = 3 * MIB + 17
const FILES = { 'uploads/small.bin': SMALL, 'uploads/large.bin': LARGE }

let key = ''
let thread = ''
const tags: Record<string, string> = {}

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  key = (await makeKey('chat', 'ann')).key
  thread = await newThread(key)
  for (const [path, bytes] of Object.entries(FILES))
    tags[path] = (await put(key, thread, path, bytesOf(bytes))).sha256
  await put(key, thread, 'uploads/empty.txt', '')
})

const get = async (path: string, headers = {}, method = 'GET'): Promise<Response> =>
  send(line(method, thread, path), { key, headers })

async function bytesIn(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer())
}

describe.each(Object.entries(FILES))('a range of %s', (path, size) => {
  const RANGES: Readonly<Record<string, readonly [first: number, last: number]>> = {
    'bytes=0-0': [0, 0],
    'bytes=0-99': [0, 99],
    'bytes=10-': [10, size - 1],
    'bytes=-1': [size - 1, size - 1],
    'bytes=-100': [size - 100, size - 1],
    [`bytes=-${size * 2}`]: [0, size - 1],
    [`bytes=${size - 1}-${size * 3}`]: [size - 1, size - 1],
    'bytes=500-999': [500, 999],
    'Bytes=1 - 2': [1, 2],
    'bytes=0-999999999999999': [0, size - 1],
  }

  it.each(Object.entries(RANGES))('%s returns those bytes', async (range, [first, last]) => {
    const response = await get(path, { Range: range })
    expect(response.status).toBe(206)
    expect(response.headers.get('Content-Range')).toBe(`bytes ${first}-${last}/${size}`)
    expect(response.headers.get('Content-Length')).toBe(String(last - first + 1))
    expect(response.headers.get('ETag')).toBe(`"${tags[path]}"`)
    expect(await bytesIn(response)).toEqual(patternAt(first, last - first + 1))
  })

  it.each([`bytes=${size}-`, `bytes=${size * 2}-${size * 3}`, 'bytes=-0'])(
    '%s is out of range',
    async (range) => {
      const answer = get(path, { Range: range })
      expect((await answer).headers.get('Content-Range')).toBe(`bytes */${size}`)
      await refused(answer, 416, 'bad_range')
    },
  )

  it.each([
    'bytes=5-4',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=0-1,5-6',
    'lines=0-1',
    'bytes 0-1',
    'bytes=1e2-',
    'bytes=--1',
  ])('%s is not a range and returns everything', async (range) => {
    const response = await get(path, { Range: range })
    expect([response.status, response.headers.get('Content-Range')]).toEqual([200, null])
    expect((await bytesIn(response)).length).toBe(size)
  })

  it('applies only to the version that If-Range names', async () => {
    const Range = 'bytes=0-1'
    for (const [condition, status] of [
      [`"${tags[path]}"`, 206],
      [`W/"${tags[path]}"`, 200],
      [`"${'0'.repeat(64)}"`, 200],
      ['Wed, 21 Oct 2026 07:28:00 GMT', 200],
    ] as const) {
      const response = await get(path, { Range, 'If-Range': condition })
      expect([condition, response.status]).toEqual([condition, status])
      await response.body?.cancel()
    }
  })
})

describe('a file', () => {
  it.each(Object.keys(FILES))('%s that is known is not sent again', async (path) => {
    for (const known of [`"${tags[path]}"`, `W/"${tags[path]}"`, `"x", "${tags[path]}"`, '*']) {
      const response = await get(path, { 'If-None-Match': known, Range: 'bytes=0-1' })
      expect([response.status, await response.text()]).toEqual([304, ''])
      expect(response.headers.get('ETag')).toBe(`"${tags[path]}"`)
      expect(response.headers.get('Content-Length')).toBeNull()
    }
    const response = await get(path, { 'If-None-Match': `"${'0'.repeat(64)}"` })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  it.each(Object.entries(FILES))('%s answers HEAD without a body', async (path, size) => {
    const [head, whole] = [await get(path, { Range: 'bytes=0-1' }, 'HEAD'), await get(path)]
    await whole.body?.cancel()
    const reported = (response: Response): object =>
      Object.fromEntries(Array.from(response.headers).filter(([name]) => name !== 'x-request-id'))
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(reported(head)).toEqual(reported(whole))
    expect(head.headers.get('Content-Length')).toBe(String(size))
  })

  it('that is empty has no range', async () => {
    await refused(get('uploads/empty.txt', { Range: 'bytes=0-' }), 416, 'bad_range')
    expect(await (await get('uploads/empty.txt')).text()).toBe('')
  })

  it('whose bytes are lost is not returned as empty', async () => {
    await put(key, thread, 'uploads/lost.bin', bytesOf(200_000))
    const { objects } = await env.FILES.list({ prefix: `default/${thread}/` })
    for (const { key: name, size } of objects) if (size === 200_000) await env.FILES.delete(name)
    await refused(get('uploads/lost.bin'), 500, 'internal')
  })
})

const SCRIPT = '<script>alert(document.domain)</script>'
const GIF = utf8('GIF89a/*')
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * File names, their content, and their served type: a file that a browser could run is served as a download, with the
 * type of its name.
 */
const HOSTILE: Readonly<Record<string, readonly [body: string | Uint8Array, type: string, shown?: boolean]>> =
  {
    'page.html': [SCRIPT, 'text/html; charset=utf-8'],
    'page.htm': [SCRIPT, 'text/html; charset=utf-8'],
    'page.xhtml': [SCRIPT, 'application/xhtml+xml'],
    'page.svg': [`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`, 'image/svg+xml'],
    'page.xml': [`<?xml version="1.0"?>${SCRIPT}`, 'text/xml; charset=utf-8'],
    'page.mht': [SCRIPT, 'application/octet-stream'],
    'script.js': ['alert(1)', 'text/javascript; charset=utf-8'],
    'script.mjs': ['alert(1)', 'text/javascript; charset=utf-8'],
    'file.pdf': ['%PDF-1.7 /JS (app.alert(1))', 'application/pdf'],
    'file.swf': ['FWS', 'application/octet-stream'],
    'notes.txt': [SCRIPT, 'text/plain; charset=utf-8'],
    'notes.md': [SCRIPT, 'text/markdown; charset=utf-8'],
    'data.json': [SCRIPT, 'application/json'],
    noending: [SCRIPT, 'application/octet-stream'],
    'page.html.bak': [SCRIPT, 'application/octet-stream'],
    'both.gif': [joinBytes([GIF, utf8(`*/=1;alert(1)//${SCRIPT}`)]), 'image/gif', true],
    'both.png': [joinBytes([PNG, utf8(SCRIPT)]), 'image/png', true],
    'page.png': [SCRIPT, 'image/png', true],
    'photo.jpg': [SCRIPT, 'image/jpeg', true],
    'photo.webp': [SCRIPT, 'image/webp', true],
    'photo.avif': [SCRIPT, 'image/avif'],
    'archive.zip': ['PK', 'application/zip'],
  }

describe('content from others', () => {
  for (const folder of ['uploads', 'outputs'])
    it.each(Object.entries(HOSTILE))(
      `${folder}/%s is never executed or sniffed`,
      async (name, [body, type, shown]) => {
        const sent = typeof body === 'string' ? body : new Blob([body.slice()]).stream()
        await put(key, thread, `${folder}/${name}`, sent)
        for (const response of [
          await get(`${folder}/${name}`, { Accept: 'text/html', 'Sec-Fetch-Dest': 'document' }),
          await get(`${folder}/${name}`, { Range: 'bytes=1-' }),
          await get(`${folder}/${name}`, {}, 'HEAD'),
        ]) {
          await response.body?.cancel()
          expect(Object.fromEntries(response.headers)).toMatchObject({
            'content-type': type,
            'content-disposition': `${shown ? 'inline' : 'attachment'}; filename="${name}"; filename*=UTF-8''${name}`,
            'content-security-policy': "default-src 'none'; sandbox",
            'cross-origin-resource-policy': 'same-origin',
            'x-content-type-options': 'nosniff',
            'cache-control': 'private, no-cache',
            'accept-ranges': 'bytes',
          })
          expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
        }
      },
    )

  it('has a name that cannot end a header', async () => {
    const name = `a"b;c'd(e)*,é 文.html`
    const { href } = await put(key, thread, encodeURIComponent(`outputs/${name}`), 'x')
    const { headers } = await send(`GET ${href}`, { key })
    const output = headers.get('Content-Disposition') ?? ''
    expect(output).toMatch(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+$/)
    expect(decodeURIComponent(output.split("''")[1] ?? '')).toBe(name)
  })

  it('is sent to nobody without a key, by link or from a page', async () => {
    const { href } = (await put(key, thread, 'outputs/link.html', SCRIPT)) satisfies FileInfo
    for (const headers of [{}, { Cookie: `key=${key}` }, { Referer: 'http://api.test/' }])
      await refused(send(`GET ${href}`, { key: null, headers }), 401, 'unauthenticated')
    await refused(send(`GET ${href}?key=${key}`, { key: null }), 401, 'unauthenticated')
    await refused(send(`GET ${href}?download=1`, { key }), 422, 'invalid_request')
  })
})
