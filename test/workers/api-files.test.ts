// Guards a thread's files over HTTP: a file is returned byte for byte as it was uploaded, conditions and quotas are
// enforced, paths cannot escape, and a user who may not see a thread sees none of its files.

import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { sha256Hex } from '../../src/lib/bytes.ts'
import type { FileInfo, Page } from '../../src/thread/api.ts'
import {
  foreignKey,
  got,
  makeKey,
  modelReplies,
  refused,
  send,
  serveSkills,
  chat,
  requested,
} from './api-fixture.ts'
import { FORM, formOf, inPieces, line, listed, newThread, put } from './files-fixture.ts'

const keys = { ann: '', ben: '', other: '' }
let thread = ''

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  keys.ann = (await makeKey('chat', 'ann')).key
  keys.ben = (await makeKey('chat', 'ben')).key
  keys.other = await foreignKey('other', 'admin', 'ann')
  thread = await newThread(keys.ann)
})

const get = async (path: string, headers = {}, key = keys.ann): Promise<Response> =>
  send(line('GET', thread, path), { key, headers })

describe('a file', () => {
  it('that was uploaded is listed and returned as it is', async () => {
    const of = await newThread(keys.ann)
    const info = await put(keys.ann, of, 'uploads/a.csv', 'a,b\n1,2\n')
    expect(info).toEqual({
      path: 'uploads/a.csv',
      bytes: 8,
      sha256: await sha256Hex('a,b\n1,2\n'),
      media_type: 'text/csv',
      origin: 'upload',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      href: `/v1/threads/${of}/files/uploads/a.csv`,
    })
    expect(await listed(keys.ann, of)).toEqual([info])
    const response = await send(`GET ${info.href}`, { key: keys.ann })
    expect(await response.text()).toBe('a,b\n1,2\n')
  })

  it('may be empty, and may have any name in its folders', async () => {
    for (const name of [
      'uploads/none',
      'workspace/a b/ü.md',
      'outputs/报告.pdf',
      'outputs/100%.txt',
      'uploads/q?#&.x',
    ]) {
      const { href, bytes, path } = await put(keys.ann, thread, encodeURIComponent(name), '')
      expect([path, bytes]).toEqual([name, 0])
      const response = await send(`GET ${href}`, { key: keys.ann })
      expect([response.status, await response.text()]).toEqual([200, ''])
    }
  })

  it('is created with 201 and its location, and replaced with 200', async () => {
    const path = 'workspace/twice.txt'
    const first = await send(line('PUT', thread, path), { key: keys.ann, body: 'one' })
    expect([first.status, first.headers.get('Location')]).toEqual([
      201,
      `/v1/threads/${thread}/files/${path}`,
    ])
    const second = await send(line('PUT', thread, path), { key: keys.ann, body: 'two' })
    expect([second.status, second.headers.get('Location')]).toEqual([200, null])
    expect(second.headers.get('ETag')).toBe(`"${await sha256Hex('two')}"`)
    expect(await (await get(path)).text()).toBe('two')
  })

  it('that is deleted no longer exists', async () => {
    await put(keys.ann, thread, 'uploads/gone.txt', 'x')
    const removed = await send(line('DELETE', thread, 'uploads/gone.txt'), { key: keys.ann })
    expect([removed.status, await removed.text()]).toEqual([204, ''])
    await refused(get('uploads/gone.txt'), 404, 'not_found')
    await refused(send(line('DELETE', thread, 'uploads/gone.txt'), { key: keys.ann }), 404, 'not_found')
  })

  it('cannot replace a folder, be below a file, or differ from another only in letter case', async () => {
    await put(keys.ann, thread, 'workspace/x/y.txt', 'x')
    await put(keys.ann, thread, 'workspace/x/οδος.txt', 'x')
    for (const path of [
      'workspace/x',
      'workspace/x/y.txt/z',
      'workspace/X/z.txt',
      'workspace/x/Y.TXT',
      'workspace/x/ΟΔΟΣ.txt',
    ]) {
      const ask = { key: keys.ann, body: 'x' }
      const problem = await refused(send(line('PUT', thread, path), ask), 422, 'invalid_request')
      expect(problem.errors?.[0]?.path).toBe('path')
    }
  })

  it('is reported to the model with the next message', async () => {
    const of = await newThread(keys.ann)
    await put(keys.ann, of, 'uploads/figures.csv', '1,2')
    modelReplies()
    const { thread: same, last } = await chat({ message: 'What is this?', thread_id: of }, { key: keys.ann })
    expect([same, last?.type]).toEqual([of, 'run.completed'])
    expect(JSON.stringify(requested[0]?.messages)).toContain('/mnt/user-data/uploads/figures.csv')
  })
})

describe('the list', () => {
  it('comes in pages, in the order of paths, and by a path prefix', async () => {
    const of = await newThread(keys.ann)
    // A page may end with a path of maximum length; the next one continues after it.
    const long = `workspace/${['d', 'e', 'f', 'g'].map((letter) => letter.repeat(250)).join('/')}`
    const paths = ['uploads/b.txt', 'uploads/a.txt', long, 'outputs/é.txt', `${long}2`]
    for (const path of paths) await put(keys.ann, of, encodeURIComponent(path), path)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page<FileInfo> = await got(
        send(`${line('GET', of)}?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`, { key: keys.ann }),
      )
      seen.push(...page.data.map(({ path }) => path))
      cursor = page.next_cursor
    }
    expect(seen).toEqual(paths.toSorted())
    const of2 = async (prefix: string): Promise<readonly string[]> =>
      (await listed(keys.ann, of, `?prefix=${encodeURIComponent(prefix)}`)).map(({ path }) => path)
    expect(await of2('uploads/')).toEqual(['uploads/a.txt', 'uploads/b.txt'])
    expect(await of2('outputs/e\u0301')).toEqual(['outputs/é.txt'])
    expect(await of2('/etc')).toEqual([])
  })
})

describe('a condition', () => {
  const path = 'workspace/conditions.txt'
  const put2 = (headers: Record<string, string>) =>
    send(line('PUT', thread, path), { key: keys.ann, body: 'new', headers })

  it('of PUT and DELETE is applied', async () => {
    const star = { 'If-Match': '*' }
    const none = { 'If-None-Match': '*' }
    await refused(put2(star), 412, 'stale_version')
    await got(put2(none), 201)
    await refused(put2(none), 412, 'stale_version')
    const { sha256 } = await put(keys.ann, thread, path, 'old', { status: 200 })
    const wrong = { 'If-Match': `"${'0'.repeat(64)}"` }
    await refused(put2(wrong), 412, 'stale_version')
    await refused(send(line('DELETE', thread, path), { key: keys.ann, headers: wrong }), 412, 'stale_version')
    await got(put2({ 'If-Match': `"${sha256}"` }), 200)
    await got(put2(star), 200)
    const headers = { 'If-Match': `"${await sha256Hex('new')}"` }
    expect((await send(line('DELETE', thread, path), { key: keys.ann, headers })).status).toBe(204)
  })

  it('that is invalid is refused by name', async () => {
    for (const headers of [
      { 'If-Match': 'x' },
      { 'If-Match': '"1", "2"' },
      { 'If-None-Match': `"${'0'.repeat(64)}"` },
      { 'If-Match': '*', 'If-None-Match': '*' },
    ])
      expect((await refused(put2(headers), 422, 'invalid_request')).errors?.[0]?.path).toMatch(/^If-/)
    const ask = { key: keys.ann, headers: { 'If-None-Match': '*' } }
    await refused(send(line('DELETE', thread, path), ask), 422, 'invalid_request')
  })
})

// Requested paths, and the stored path; null if no file can have that name.
const PATHS: Readonly<Record<string, string | null>> = {
  'uploads/plain.txt': 'uploads/plain.txt',
  'uploads//plain.txt': 'uploads/plain.txt',
  '/uploads/plain.txt': 'uploads/plain.txt',
  'uploads/./plain.txt': 'uploads/plain.txt',
  'uploads%2Fplain.txt': 'uploads/plain.txt',
  'uploads/x/../plain.txt': 'uploads/plain.txt',
  'uploads/e%CC%81.txt': 'uploads/é.txt',
  'uploads/%C3%A9.txt': 'uploads/é.txt',
  'uploads/%252e.txt': 'uploads/%2e.txt',
  'uploads/a%252Fb.txt': 'uploads/a%2Fb.txt',
  'uploads/plain.txt/': null,
  'uploads/plain.txt%2F': null,
  'uploads/x/..%2f..%2fuploads%2fplain.txt': null,
  '..%2f..%2fetc%2fpasswd': null,
  'uploads/..%2f..%2f..%2fx': null,
  'uploads/%2e%2e%2fx': null,
  'uploads%5c..%5cx': null,
  'uploads/%00': null,
  'uploads/%E2%80%AEtxt.exe': null,
  'uploads/a%E2%80%8Bb.txt': null,
  'uploads/%EF%BB%BFa.csv': null,
  'uploads/%C2%ADa.csv': null,
  'uploads/%F3%A0%81%A1.txt': null,
  'uploads/%E3%85%A4.txt': null,
  // Joiners and variation selectors: a word in Persian, a heart, a family.
  'uploads/%D9%85%DB%8C%E2%80%8C%D8%B4%D9%88%D8%AF.txt': 'uploads/می\u200Cشود.txt',
  'uploads/%E2%9D%A4%EF%B8%8F.png': 'uploads/❤\uFE0F.png',
  'uploads/%F0%9F%91%A8%E2%80%8D%F0%9F%91%A7.png': 'uploads/👨\u200D👧.png',
  // The same characters where they are invisible or carry hidden data.
  'uploads/%E2%9D%A4%EF%B8%8F%EF%B8%8F.png': null,
  'uploads/a%EF%B8%81%EF%B8%82.txt': null,
  'uploads/a%E2%80%8Cb.txt': null,
  'uploads/a%E2%A0%80.txt': null,
  'uploads/%FF.txt': null,
  'uploads/%E0%A4%A': null,
  'uploads/%ED%A0%80.txt': null,
  uploads: null,
  'mnt/user-data/uploads/plain.txt': null,
  '%2Fmnt%2Fuser-data%2Fuploads%2Fplain.txt': null,
  'skills/public/alpha/SKILL.md': null,
  __proto__: null,
  'uploads/plain.txt%20': null,
  'uploads/%E3%80%80plain.txt': null,
  'uploads/sub%20/plain.txt': null,
  [`uploads/${'n'.repeat(256)}`]: null,
  [`uploads/${'d/'.repeat(40)}x`]: null,
  [`uploads/${'x'.repeat(10_000)}`]: null,
}

describe('a path', () => {
  it.each(Object.entries(PATHS))('%s', async (requested, meant) => {
    const target = line('PUT', thread, requested)
    if (meant !== null) {
      const written = await send(target, { key: keys.ann, body: meant })
      expect((await written.json<FileInfo>()).path).toBe(meant)
      expect(await (await get(requested)).text()).toBe(meant)
      expect(await (await get(encodeURIComponent(meant))).text()).toBe(meant)
      return
    }
    const before = await listed(keys.ann, thread, '?limit=100')
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const ask = { key: keys.ann, ...(method === 'PUT' ? { body: 'x' } : {}) }
      const problem = await refused(send(target.replace('PUT', method), ask), 422, 'invalid_request')
      expect(problem.errors?.[0]?.path).toBe('path')
    }
    expect(await listed(keys.ann, thread, '?limit=100')).toEqual(before)
  })

  it('that is empty, or contains a line break, is invalid', async () => {
    await refused(get('uploads/a%0Ab'), 404, 'not_found')
    await refused(send(line('GET', thread, '/'), { key: keys.ann }), 422, 'invalid_request')
    await refused(send(`GET /v1/threads/${thread}/files/`, { key: keys.ann }), 404, 'not_found')
  })
})

describe("another user's files", () => {
  it('look like those of a thread that never existed, for any caller and name', async () => {
    await put(keys.ann, thread, 'uploads/secret.txt', 'secret')
    const theirs = await newThread(keys.ben)
    await put(keys.ben, theirs, 'uploads/secret.txt', 'of ben')
    const foreign = await newThread(keys.other)
    await put(keys.other, foreign, 'uploads/secret.txt', 'of the other workspace')
    const never = newId('th')
    for (const key of [keys.ben, keys.other])
      for (const [method, path] of [
        ['GET', ''],
        ['POST', ''],
        ['GET', 'uploads/secret.txt'],
        ['PUT', 'uploads/secret.txt'],
        ['PUT', 'uploads/new.txt'],
        ['DELETE', 'uploads/secret.txt'],
      ] as const) {
        const ask = (): object =>
          method === 'POST'
            ? { headers: FORM, body: inPieces(formOf([{ name: 'secret.txt', data: 'x' }])) }
            : method === 'PUT'
              ? { body: 'x' }
              : {}
        const mine = await refused(send(line(method, thread, path), { key, ...ask() }), 404, 'not_found')
        const unknown = await refused(send(line(method, never, path), { key, ...ask() }), 404, 'not_found')
        expect({ ...mine, request_id: '' }).toEqual({ ...unknown, request_id: '' })
      }
    expect(await (await get('uploads/secret.txt')).text()).toBe('secret')
    expect((await listed(keys.ann, thread, '?prefix=uploads/new')).length).toBe(0)
    // The workspace's admin may do it.
    await got(send(line('GET', thread)))
    const [own] = await listed(keys.ben, theirs)
    expect(own?.sha256).toBe(await sha256Hex('of ben'))
  })
})

describe('a body', () => {
  it('with a content encoding is refused, and any type is a file', async () => {
    const ask = { key: keys.ann, body: 'x' }
    const packed = { ...ask, headers: { 'Content-Encoding': 'gzip' } }
    await refused(send(line('PUT', thread, 'uploads/t.txt'), packed), 415, 'unsupported_media_type')
    await refused(
      send(line('POST', thread), { ...packed, headers: { ...FORM, 'Content-Encoding': 'br' } }),
      415,
      'unsupported_media_type',
    )
    for (const type of ['text/html', 'multipart/form-data; boundary=x', 'nonsense', ''])
      await send(line('PUT', thread, 'uploads/t.txt'), { ...ask, headers: { 'Content-Type': type } })
    expect((await listed(keys.ann, thread, '?prefix=uploads/t.txt'))[0]?.media_type).toBe('text/plain')
  })
})
