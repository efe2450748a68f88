// Promise: in the terminal, a file is uploaded with a message, and files of the answer are saved whole into the named
// folder and nowhere else, whatever the server calls them. Failures are explained.

import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { finished, script, temporary } from './satchel.ts'
import { sharedSatchel } from './shared.ts'

const satchel = sharedSatchel()
const CSV = 'month,orders\n2026-01,120\n2026-02,12\n'

let folder = ''
let out = ''
beforeEach(() => {
  folder = temporary()
  out = join(folder, 'out')
  writeFileSync(join(folder, 'sales.csv'), CSV)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Ran = { readonly status: number | null; readonly out: string }

async function chat(url: string, ...args: readonly string[]): Promise<Ran> {
  return finished(script('chat.ts', [...args, '--url', url]))
}

const csv = (): string => join(folder, 'sales.csv')

describe('with the demo model', () => {
  it('uploads a table, saves its presented summary, and saves a second answer next to it', async () => {
    const first = await chat(satchel.url, '--file', csv(), '--save', out, 'What stands out in this table?')
    expect(first.status, first.out).toBe(0)
    expect(first.out).toContain(`attached: /mnt/user-data/uploads/sales.csv (${CSV.length} bytes)`)
    expect(first.out).toContain('✓ Loaded data-analysis')
    expect(first.out).toContain('File: /mnt/user-data/outputs/summary.md (text/markdown)')
    expect(first.out).toContain(`saved: ${out}/summary.md`)
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain(
      '| orders | integer | 2 | 0 | 2 | 12 | 66 | 66 | 120 | 132 |',
    )
    expect(readFileSync(join(out, 'sales-chart.svg'), 'utf8')).toContain(
      '<title id="chart-title">Orders by month</title>',
    )
    const thread = /--thread (\S+)/.exec(first.out)?.[1] ?? ''

    const more = join(folder, 'more.md')
    writeFileSync(more, '# Notes\n\nThree more words\n')
    const second = await chat(satchel.url, '--thread', thread, '--file', more, '--file', csv(), 'And these?')
    expect(second.status, second.out).toBe(0)
    expect(second.out).toContain('created: /mnt/user-data/outputs/summary-2.md')
    expect(second.out).toContain(
      `download with: npm run chat -- --url ${satchel.url} --thread ${thread} --save DIR`,
    )
    expect(second.out).toMatch(/more\.md: 3 lines, 5 words, 1 heading/)

    const fetched = await chat(satchel.url, '--thread', thread, '--save', out)
    expect(fetched.status, fetched.out).toBe(0)
    expect(fetched.out).toContain(`saved: ${out}/summary-2.md\n`)
    expect(fetched.out).toContain(`saved: ${out}/summary-3.md, which is /mnt/user-data/outputs/summary.md`)
    expect(readdirSync(out).toSorted()).toEqual([
      'sales (2)-chart.svg',
      'sales-chart-2.svg',
      'sales-chart.svg',
      'summary-2.md',
      'summary-3.md',
      'summary.md',
    ])
  })

  it('sends no message when a file cannot be uploaded, and prints the reason', async () => {
    mkdirSync(out)
    const huge = join(folder, 'huge.bin')
    writeFileSync(huge, '')
    truncateSync(huge, 100_000_001)
    for (const [file, why] of [
      [join(folder, 'none.csv'), /there is no such file/],
      [out, /this is a folder/],
      [huge, /100,000,001 bytes; the limit is 100,000,000/],
    ] as const) {
      const ran = await chat(satchel.url, '--file', file, 'What is this?')
      expect(ran.status).toBe(1)
      expect(ran.out).toMatch(why)
      expect(ran.out).not.toContain('catalog')
    }
    const unknown = await chat(
      satchel.url,
      '--file',
      csv(),
      '--thread',
      `th_${'0'.repeat(24)}`,
      'What is this?',
    )
    expect(unknown.status).toBe(1)
    expect(unknown.out).toMatch(/were not uploaded, and your question was not sent\.\n404 not_found/)
  })
})

describe('with a hostile server, or one of another version', () => {
  let server: Server | null = null
  afterEach(async () => {
    server?.closeAllConnections()
    if (server) await new Promise((resolve) => server?.close(resolve))
    server = null
  })

  async function serve(listener: RequestListener): Promise<string> {
    server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  }

  const RECEIPT = {
    skills: [],
    steps: 1,
    catalog_version: 1,
    model: 'demo',
    charged: { tokens: 1, usd: 0, estimated: false },
  }

  /** A server whose run presents `paths`; `file` serves their bytes. */
  function presents(paths: readonly string[], file: RequestListener): RequestListener {
    return (request, response) => {
      if (request.method === 'GET') return file(request, response)
      const ids = { 'X-Thread-Id': 'th_1', 'X-Run-Id': 'run_1' }
      response.writeHead(200, { ...ids, 'Content-Type': 'text/event-stream' })
      const events = [
        ...paths.map((path) => ({
          type: 'artifact.presented',
          path,
          title: 't',
          media_type: 'text/plain',
          href: '',
        })),
        { type: 'run.completed', stop_reason: 'answered', receipt: RECEIPT },
      ]
      for (const [at, event] of events.entries())
        response.write(
          `data: ${JSON.stringify({ ...event, seq: at + 1, thread_id: 'th_1', run_id: 'run_1' })}\n\n`,
        )
      response.end()
    }
  }

  it('turns hostile names into harmless ones inside the folder, and overwrites no file', async () => {
    mkdirSync(out)
    writeFileSync(join(out, 'mine.md'), 'mine')
    const url = await serve(
      presents(
        [
          '../../escape.md',
          'outputs/mine.md',
          'outputs/a\u001B]0;owned\u0007.md',
          'outputs/.bashrc',
          'outputs/in\u202Evoice.fdp',
          'outputs/-rf',
          `outputs/${'x'.repeat(2_000)}.md`,
          'outputs/a/../../b',
        ].map((path) => `/mnt/user-data/${path}`),
        (_, response) => void response.end('theirs'),
      ),
    )
    const ran = await chat(url, '--save', out, 'hi')
    expect(ran.status, ran.out).toBe(0)
    expect(ran.out, 'nothing steers the terminal').not.toMatch(/(?!\n)[\p{Cc}\u202E]/u)
    const names = readdirSync(folder, { recursive: true }).map(String)
    expect(names.filter((name) => !/^out(\/|$)/.test(name))).toEqual(['sales.csv'])
    expect(readdirSync(out)).toEqual(
      expect.arrayContaining(['__', '_bashrc', '_rf', 'a', 'a_]0;owned_.md', 'in_voice.fdp', 'mine-2.md']),
    )
    expect(readFileSync(join(out, 'mine.md'), 'utf8')).toBe('mine')
    expect(readFileSync(join(out, 'mine-2.md'), 'utf8')).toBe('theirs')
  })

  it('downloads a file again after a lost connection, and keeps no partial file', async () => {
    let tries = 0
    const url = await serve(
      presents(['/mnt/user-data/outputs/a.md'], (_, response) => {
        response.writeHead(200, { 'Content-Length': '10' }).write('half ')
        if (tries++ === 0) setImmediate(() => response.destroy())
        else response.end('whole')
      }),
    )
    const ran = await chat(url, '--save', out, 'hi')
    expect(ran.status, ran.out).toBe(0)
    expect(readdirSync(out)).toEqual(['a.md'])
    expect(readFileSync(join(out, 'a.md'), 'utf8')).toBe('half whole')
  })

  it('reports a file that no longer exists, and saves the others', async () => {
    const url = await serve(
      presents(
        ['/mnt/user-data/outputs/gone.md', '/mnt/user-data/outputs/b.md'],
        ({ url: path }, response) => {
          const problem = { status: 404, code: 'not_found', detail: 'It is gone.', request_id: 'r' }
          if (path?.endsWith('b.md')) response.end('b')
          else response.writeHead(404).end(JSON.stringify(problem))
        },
      ),
    )
    const ran = await chat(url, '--save', out, 'hi')
    expect(ran.status).toBe(1)
    expect(ran.out).toContain('/mnt/user-data/outputs/gone.md was not saved: 404 not_found: It is gone.')
    expect(readdirSync(out)).toEqual(['b.md'])
  })

  it('tells a server without the route for files from a broken one', async () => {
    const problem = { status: 405, code: 'method_not_allowed', detail: 'Use GET.', request_id: 'r' }
    const url = await serve((_, response) => void response.writeHead(405).end(JSON.stringify(problem)))
    const ran = await chat(url, '--file', csv(), 'What is this?')
    expect(ran.status).toBe(1)
    expect(ran.out).toContain('runs an older version that does not accept files')
  })
})
