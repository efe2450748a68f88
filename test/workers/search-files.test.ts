// Guards the reading tools over a real file tree with a thousand files in SQLite and one in R2: what they find, and
// that a file which was read counts as known.

import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import type { Block } from '../../src/agent/message.ts'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { FILE_INLINE_MAX_BYTES } from '../../src/limits/files.ts'
import type { FilePut } from '../../src/thread/files-api.ts'
import { speaks, TestThread, value } from '../fault/rig.ts'
import { ScriptedModel, text, use } from '../fault/scripted-model.ts'

const FILES = 1_000

async function put(path: string, content: string): Promise<FilePut> {
  const data = utf8(content)
  return { path, body: { sha256: await sha256Hex(data), bytes: data.length, data, object: null } }
}

/** Each file has 2 KB; every hundredth contains "needle". */
async function filled(thread: TestThread): Promise<void> {
  value(await thread.api.createEmpty(thread.caller, thread.id))
  const line = 'some words of no importance, and then some more of the same kind\n'
  const puts = await Promise.all(
    Array.from({ length: FILES }, (_, at) =>
      put(
        `workspace/d${Math.floor(at / 100)}/f${at}.txt`,
        line.repeat(15) + (at % 100 === 7 ? `the needle ${at}\n` : '') + line.repeat(15),
      ),
    ),
  )
  value(await thread.api.putFiles(thread.caller, puts))
  value(await thread.api.putFiles(thread.caller, [await put('uploads/a.md', 'one\ntwo\n')]))
}

/** The results of these calls, in order. */
async function answers(calls: readonly Block[]): Promise<{ thread: TestThread; results: readonly string[] }> {
  const model = new ScriptedModel([{ content: calls }, { content: [text('Done.')] }])
  const thread = new TestThread(speaks(model))
  await filled(thread)
  const { run_id } = await thread.start('Search.')
  await thread.ended(run_id)
  const messages = await thread.messages()
  const results = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [String(block['content'])] : [])),
  )
  expect(model.problems).toEqual([])
  return { thread, results }
}

describe('a thousand files', () => {
  it('are searched and listed, and a file that was read counts as known', async () => {
    const { thread, results } = await answers([
      use('t1', 'grep', { pattern: 'needle \\d+' }),
      use('t2', 'grep', { pattern: 'NEEDLE 7', ignore_case: true }),
      use('t3', 'glob', { pattern: '*07.txt' }),
      use('t4', 'ls', { path: '/mnt/user-data/workspace' }),
      use('t5', 'read_file', { path: 'uploads/a.md', start_line: 2 }),
      use('t6', 'grep', { pattern: '(a|b|s| )*(some|none)( |x)(.{1,20}){8}[0-9]' }),
    ])
    const [needle = '', folded = '', glob = '', ls = '', read, hostile = ''] = results
    expect(needle).toMatch(/^Found 10 lines in 10 files under \/mnt\/user-data\n/)
    expect(needle).toContain('/mnt/user-data/workspace/d9/f907.txt:16: the needle 907')
    expect(folded.split('\n')[1]).toBe('/mnt/user-data/workspace/d0/f7.txt:16: the needle 7')
    expect(glob).toMatch(/^Found 9 paths/)
    expect(ls.split('\n')[0]).toMatch(/^d0\/ \(100 files, \d+ bytes\)$/)
    expect(ls.split('\n')).toHaveLength(10)
    expect(read).toBe('two')
    expect(hostile).toMatch(/^(?:No matches|Found)/)
    const known = await thread.sql((sql) =>
      sql
        .exec('SELECT path FROM files WHERE known = sha256')
        .toArray()
        .map(({ path }) => path),
    )
    expect(known).toEqual(['uploads/a.md'])
  })

  it('may include a large one in the store', async () => {
    const model = new ScriptedModel([
      {
        content: [
          use('t1', 'grep', { pattern: 'needle' }),
          use('t2', 'read_file', { path: 'uploads/big.txt', start_line: 9_001 }),
        ],
      },
      { content: [text('Done.')] },
    ])
    const thread = new TestThread(speaks(model))
    value(await thread.api.createEmpty(thread.caller, thread.id))
    const bytes = utf8(`${'a line of it, among many others\n'.repeat(9_000)}the needle\n`)
    expect(bytes.length).toBeGreaterThan(FILE_INLINE_MAX_BYTES)
    const { object, key } = value(await thread.api.stageFile(thread.caller, bytes.length, null))
    await env.FILES.put(key, bytes)
    const body = { sha256: await sha256Hex(bytes), bytes: bytes.length, data: null, object }
    value(await thread.api.putFiles(thread.caller, [{ path: 'uploads/big.txt', body }]))
    const { run_id } = await thread.start('Search.')
    await thread.ended(run_id)
    const output = JSON.stringify(await thread.messages())
    expect(output).toContain('/mnt/user-data/uploads/big.txt:9001: the needle')
    expect(output).toContain('"content":"the needle"')
  })
})

it('a document among the files is read as text, by lines', async () => {
  const model = new ScriptedModel([
    {
      content: [
        use('t1', 'read_file', { path: 'uploads/report.pdf' }),
        use('t2', 'read_file', { path: 'uploads/report.pdf', end_line: 1 }),
      ],
    },
    { content: [text('Done.')] },
  ])
  const thread = new TestThread(speaks(model))
  value(await thread.api.createEmpty(thread.caller, thread.id))
  const documents = inject('documents')
  const data = Uint8Array.from(atob(documents['pdfkit.pdf'] ?? ''), (char) => char.charCodeAt(0))
  const body = { sha256: await sha256Hex(data), bytes: data.length, data, object: null }
  value(await thread.api.putFiles(thread.caller, [{ path: 'uploads/report.pdf', body }]))
  const { run_id } = await thread.start('Read.')
  await thread.ended(run_id)
  const results = (await thread.messages()).flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [String(block['content'])] : [])),
  )
  const bytes = Uint8Array.from(atob(documents['pdfkit.pdf.md'] ?? ''), (char) => char.charCodeAt(0))
  const whole = new TextDecoder().decode(bytes).trim()
  expect(results[0]).toContain(whole.split('\n').at(-1))
  expect(results[0]).toContain('[The text of a PDF file with')
  expect(results[1]?.split('\n')[0]).toBe(whole.split('\n')[0])
})
