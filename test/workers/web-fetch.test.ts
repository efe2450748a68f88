// Guards web_fetch in a run: a page reaches the model as data inside Satchel's frame, its links are stored with the
// call, a long page becomes a file of the thread, and hostile documents are handled like any other document.

import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { documentReader } from '../../src/files/documents/reader.ts'
import { utf8 } from '../../src/lib/bytes.ts'
import { ok } from '../../src/lib/result.ts'
import type { ToolResult } from '../../src/agent/tool.ts'
import { WEB_FETCH } from '../../src/tools/web/web-fetch.ts'
import { toolContext } from '../fakes/tool-context.ts'
import * as hostile from './hostile-documents.ts'

async function fetched(body: Uint8Array, type: string, url = 'https://example.com/x'): Promise<ToolResult> {
  const context = toolContext({
    documents: documentReader(env.LOADER, env.ASSETS ?? null),
    net: async (request) =>
      ok({ status: 200, url: request.url, headers: { 'content-type': type }, body, cut: false }),
  })
  return WEB_FETCH.make(context).run(
    { url },
    {
      runId: 'r',
      toolUseId: 't',
      idempotencyKey: 'r:t',
      signal: new AbortController().signal,
      progress: () => {},
    },
  )
}

it('reads a page with its links', async () => {
  const html = `<title>Lamps</title><p>${'All lamps of the house are listed here, with their makers. '.repeat(9)}<a href="oak">Oak</a></p>`
  const result = await fetched(utf8(html), 'text/html')
  expect(result).toMatchObject({
    isError: false,
    content: expect.stringContaining('[Oak](https://example.com/oak)'),
    notes: [{ type: 'links', page: 'https://example.com/x', links: ['https://example.com/oak'] }],
  })
})

it('cuts or refuses a PDF or workbook that unpacks without end, with the reason', async () => {
  const zeros = hostile.onePage(hostile.streamOf(new Uint8Array(40_000_000), 2))
  expect(await fetched(zeros, 'application/pdf')).toMatchObject({
    content: expect.stringMatching(/unpack|no text|page/i),
  })
  const bomb = hostile.zipBomb(140, true)
  expect(await fetched(bomb, 'application/octet-stream', 'https://example.com/a.xlsx')).toMatchObject({
    isError: true,
    content: expect.stringContaining('unpacks to more than'),
  })
})
