// Guards the files of a thread over HTTP: what is put is what is got, to the byte or not at all, and conditions hold.

import { beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import type { FileInfo, Page } from '../../src/thread/api.ts'
import { got, makeKey, refused, send, serveSkills } from './door-fixture.ts'

let key = ''
let thread = ''

async function newThread(): Promise<string> {
  return (await got<{ thread_id: string }>(send('POST /v1/threads', { key }), 201)).thread_id
}

function at(method: string, path: string, of = thread): string {
  return `${method} /v1/threads/${of}/files/${path}`
}

async function put(path: string, body: string | ReadableStream, status = 201): Promise<FileInfo> {
  return got<FileInfo>(send(at('PUT', path), { key, body }), status)
}

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  key = (await makeKey('chat', 'ann')).key
  thread = await newThread()
})

describe('a file', () => {
  it('that was put is listed and got as it is', async () => {
    const info = await put('uploads/a.csv', 'a,b\n1,2\n')
    expect(info).toEqual({
      path: 'uploads/a.csv',
      bytes: 8,
      sha256: await sha256Hex('a,b\n1,2\n'),
      media_type: 'text/csv',
      origin: 'upload',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      href: `/v1/threads/${thread}/files/uploads/a.csv`,
    })
    const { data } = await got<Page<FileInfo>>(send(`GET /v1/threads/${thread}/files`, { key }))
    expect(data).toEqual([info])
    const response = await send(at('GET', 'uploads/a.csv'), { key })
    expect(await response.text()).toBe('a,b\n1,2\n')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${info.sha256}"`,
      'content-type': 'text/csv; charset=utf-8',
      'content-length': '8',
      'accept-ranges': 'bytes',
    })
  })
})
void utf8
void refused
