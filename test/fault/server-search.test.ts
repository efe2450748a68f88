// Promise: if a workspace chooses it, new threads have the model's own web search in place of Satchel's. Its blocks
// stay unchanged, its cost is charged, its results count as text from outside, and its addresses as given. A run that
// may not search makes no model call.

import { describe, expect, it } from 'vitest'
import { ok } from '../../src/lib/result.ts'
import { SERVER_SEARCHES_MAX } from '../../src/tools/web/limits.ts'
import type { WorkspaceSettings } from '../../src/settings/settings.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { BUILTINS } from '../../src/tools/builtins.ts'
import { checkExtends } from '../fakes/messages-oracle.ts'
import type { Script, WireBlock } from '../fakes/messages-wire.ts'
import { NO_NET } from '../fakes/net.ts'
import { cited, failedSearch, found, searching } from '../fakes/server-search.ts'
import { resultsOf } from './approving.ts'
import { ANN, BUDGET, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { wired, type Wired } from './wire.ts'

const PAGE = 'https://found.example.com/page'
const text = (words: string): WireBlock => ({ type: 'text', text: words })
const use = (id: string, name: string, input: object): WireBlock => ({ type: 'tool_use', id, name, input })
const DONE = { content: [text('Done.')] }
const LOOKED = { content: [searching('s1', 'x'), found('s1', PAGE), cited('It rains.', PAGE)] }
const TOOLS: WorkspaceSettings['tools'] = {
  allow: null,
  deny: [],
  untrusted_then_act: 'ask',
  link_bits: 40,
  calls_per_tool: 50,
  guardrail_url: null,
  guardrail_failure: 'deny',
}

function wants(server_search: boolean, tools = TOOLS): Partial<ThreadPorts> {
  const files = {
    max_files: 10,
    max_file_bytes: 1_000,
    max_thread_bytes: 10_000,
    max_key_bytes: 4,
    max_workspace_bytes: 5,
  }
  const threads = {
    max_threads: 1,
    max_key_threads: 1,
    max_thread_search_bytes: 1,
    max_search_bytes: 1,
    compact_percent: 80,
  }
  const all = {
    files,
    threads,
    skills: { max_bytes: 1 },
    tools,
    web: { allow_hosts: [], deny_hosts: [], server_search },
    runs: { lease_wait_s: 5 },
    retention: { run_days: 90, audit_days: 365, thread_days: null },
  }
  return { settings: async () => ok(all), toolSettings: async () => ok(tools) }
}

function searches(script: Script, ports = wants(true)): Wired {
  const reported = wired(script, { now: () => Date.now() })
  reported.thread.adjust({ tools: () => BUILTINS, net: () => NO_NET, ...ports })
  return reported
}

interface Sent {
  readonly tools: readonly { readonly name: string; readonly type?: string }[]
  readonly messages: readonly { readonly role: string; readonly content: readonly WireBlock[] }[]
}

function sent({ recorder }: Wired): readonly Sent[] {
  return recorder.exchanges.map(({ raw }) => JSON.parse(raw) as Sent) // the cast is safe: Satchel's adapter wrote this request
}

const untrusted = (thread: TestThread): Promise<unknown> =>
  thread.sql((sql) => sql.exec('SELECT source FROM untrusted').toArray())

async function requestedHosts(thread: TestThread): Promise<readonly SqlStorageValue[]> {
  const rows = await thread.sql((sql) => sql.exec('SELECT host FROM approvals ORDER BY ord').toArray())
  return rows.map(({ host }) => host ?? null)
}

const searchTools = (request: Sent | undefined): unknown =>
  request?.tools.filter(({ name }) => name === 'web_search')

describe('a thread whose workspace wants the model’s own search', () => {
  it('has it in place of ours, keeps it when the setting is removed, and sends its blocks back unchanged', async () => {
    const reported = searches([LOOKED, DONE, DONE])
    const { thread, recorder } = reported
    const first = await thread.ended((await thread.start('Does it rain?')).run_id)
    expect(first).toMatchObject({ status: 'completed', usage: { web_search_requests: 1 } })
    await thread.ended((await thread.start('And then?')).run_id)
    thread.adjust(wants(false))
    await thread.kill()
    await thread.ended((await thread.start('And now?')).run_id)
    checkExtends(recorder.exchanges)
    const tool = { type: 'web_search_20260318', name: 'web_search', max_uses: 5, allowed_callers: ['direct'] }
    expect(searchTools(sent(reported)[2])).toEqual([tool])
    expect(sent(reported)[2]?.messages[1]?.content).toMatchObject(LOOKED.content)
    expect((await thread.messages())[1]?.content).toEqual(LOOKED.content)
    await thread.checkEnded(first.run_id, 1)
  })

  it('is tainted by search results together with their message; an error alone does not taint it', async () => {
    const reported = searches([{ content: [searching('s1', 'x'), failedSearch('s1'), text('Hm.')] }, LOOKED])
    await reported.thread.ended((await reported.thread.start('One.')).run_id)
    expect(await untrusted(reported.thread)).toEqual([])
    await reported.thread.ended((await reported.thread.start('Two.')).run_id)
    expect(await untrusted(reported.thread)).toEqual([{ source: 'search:web' }])
  })

  it('fetches found addresses without approval, and asks for any other', async () => {
    const fetches = (url: string) => ({ content: [...LOOKED.content, use(url, 'web_fetch', { url })] })
    const given = searches([fetches(PAGE), DONE])
    const { run_id } = await given.thread.start('Does it rain?')
    expect(await given.thread.ended(run_id)).toMatchObject({ status: 'completed' })
    expect(await resultsOf(given.thread)).toEqual([[PAGE, expect.stringContaining('cannot be reached')]])

    const { thread } = searches([fetches('https://other.example.com/?q=secret')])
    const other = await thread.start('Does it rain?')
    await eventually(
      () => thread.status(other.run_id),
      (status) => status === 'waiting',
    )
  })

  it('asks for found addresses on a host that the operator names', async () => {
    const fetches = { content: [...LOOKED.content, use('f1', 'web_fetch', { url: PAGE })] }
    const { thread } = searches([fetches, DONE], { ...wants(true), privateHosts: ['found.example.com:443'] })
    const { run_id } = await thread.start('Does it rain?')
    await eventually(
      () => thread.status(run_id),
      (status) => status === 'waiting',
    )
    expect(await requestedHosts(thread)).toEqual([null])
  })

  it('counts each query against the link budget once the model may know private data', async () => {
    const pages = [0, 1, 2, 3, 4].map((n) => `https://page${n}.example.com/`)
    const searched = pages.flatMap((page, n) => [searching(`s${n}`, 'a key'), found(`s${n}`, page)])
    const fetches = pages.map((url, n) => use(`f${n}`, 'web_fetch', { url }))
    const { thread } = searches([{ content: [...searched, ...fetches] }, DONE])
    const { run_id } = await thread.start('Read it.', { context: { ticket: 'The key of the house.' } })
    await eventually(
      () => thread.status(run_id),
      (status) => status === 'waiting',
    )
    // The first choice says 23 of 40 bits; each of the others would say as many again.
    expect(await requestedHosts(thread)).toEqual([1, 2, 3, 4].map((n) => `page${n}.example.com`))
  })

  it('continues after a pause, and closes a search that the end left open before the next message', async () => {
    const paused = { content: [text('I look.'), searching('s1', 'x')], stop: 'pause_turn' }
    const reported = searches([
      paused,
      { content: [found('s1', PAGE), text('Rain.')] },
      { content: [text('So'), searching('s2', 'y')], stop: 'max_tokens' },
      DONE,
    ])
    const { thread, recorder } = reported
    const { run_id } = await thread.start('Does it rain?')
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed', steps: 2 })
    expect(sent(reported)[1]?.messages.at(-1)).toMatchObject({ role: 'assistant' })
    await thread.ended((await thread.start('More.')).run_id)
    await thread.ended((await thread.start('And?')).run_id)
    const closed = sent(reported)[3]?.messages.at(-2)
    expect(closed).toMatchObject({
      role: 'assistant',
      content: [{ type: 'web_search_tool_result', tool_use_id: 's2' }],
    })
    checkExtends(recorder.exchanges)
  })

  it('never runs a search call itself, even if the model makes one', async () => {
    const reported = searches([{ content: [use('t1', 'web_search', { query: 'x' })] }, DONE])
    const { run_id } = await reported.thread.start('Does it rain?')
    expect(await reported.thread.ended(run_id)).toMatchObject({ status: 'completed' })
    expect(await resultsOf(reported.thread)).toEqual([['t1', expect.stringMatching(/web_search/)]])
    expect(await untrusted(reported.thread)).toEqual([])
  })

  it('treats the text of a truncated answer as text from outside, because what it found is unknown', async () => {
    const error = { type: 'invalid_request_error', message: 'No.' }
    const broken = { at: 12, event: 'error', data: { type: 'error', error } }
    const reported = searches([{ content: LOOKED.content, insert: [broken] }])
    const { run_id } = await reported.thread.start('Does it rain?')
    expect(await reported.thread.ended(run_id)).toMatchObject({ status: 'failed' })
    expect((await reported.thread.messages()).at(-1)?.role).toBe('assistant')
    expect(await untrusted(reported.thread)).toEqual([{ source: 'search:web' }])
  })
})

describe('the cost of searches', () => {
  it('is charged by their number, and the maximum is reserved in advance', async () => {
    const plain = searches([DONE], wants(false))
    const reported = searches([LOOKED])
    const runs = await Promise.all(
      [plain, reported].map(async ({ thread }) => thread.ended((await thread.start('Does it rain?')).run_id)),
    )
    const [without, withOne] = runs.map(({ charged }) => charged)
    expect((withOne?.usd ?? 0) - (without?.usd ?? 0)).toBeCloseTo(0.01, 10)
    expect(withOne?.estimated).toBe(false)
    const short = searches([LOOKED])
    const usd = 0.01 * SERVER_SEARCHES_MAX
    const poor = await short.thread.refused('Does it rain?', { budget: { ...BUDGET, usd } })
    expect(poor.errors?.[0]?.path).toBe('budget')
    expect(short.recorder.exchanges).toEqual([])
  })
})

describe('a run that may not search', () => {
  it.each([
    ['its workspace denies the tool', { ...TOOLS, deny: ['web_search'] }],
    ['its workspace has a guardrail', { ...TOOLS, guardrail_url: 'https://guard.example.com/' }],
  ])('makes no call where %s, and a new thread is created without the search', async (_, tools) => {
    const reported = searches([LOOKED, DONE])
    await reported.thread.ended((await reported.thread.start('Does it rain?')).run_id)
    reported.thread.adjust(wants(true, tools))
    await reported.thread.kill()
    const { run_id } = await reported.thread.start('And now?')
    expect(await reported.thread.ended(run_id)).toMatchObject({
      status: 'failed',
      error: { detail: expect.stringContaining('web_search, which') },
    })
    expect(reported.recorder.exchanges).toHaveLength(1)
    const created = searches([DONE], wants(true, tools))
    await created.thread.ended((await created.thread.start('Does it rain?')).run_id)
    expect(searchTools(sent(created)[0])).toEqual([])
  })

  it('is one of a key whose list omits it', async () => {
    const reported = searches([DONE])
    const key = new TestThread(
      { ...reported.ports, tools: () => BUILTINS, ...wants(true) },
      { ...ANN, tools: { allow: ['files'], deny: [] } },
    )
    expect(await key.ended((await key.start('Does it rain?')).run_id)).toMatchObject({ status: 'completed' })
    expect(searchTools(sent(reported)[0])).toEqual([])
  })

  it('is one of a request that names other tools, or of a workspace that did not ask for it', async () => {
    const reported = searches([DONE])
    await reported.thread.ended((await reported.thread.start('Hm?', { tools: ['files'] })).run_id)
    const off = searches([DONE], wants(false))
    await off.thread.ended((await off.thread.start('Hm?')).run_id)
    expect([reported, off].map((one) => searchTools(sent(one)[0]))).toEqual([[], []])
  })
})
