// Promise: a thread has a web search exactly if the operator configured an engine. Results are marked as text from
// outside, a removed engine is explained to the model, and each search is charged to the budget.

import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'

import type { Env } from '../../src/env/env.ts'
import { err, ok } from '../../src/lib/result.ts'
import { portsOf } from '../../src/thread/ports.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import type { Billed } from '../../src/tools/web/search/search.ts'
import { ANN, BUDGET, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use } from './scripted-model.ts'

const engines = inject('engines')
const position: string = engines.position
const key: string = engines.key
const BRAVE = { SEARCH_PROVIDER: 'brave', SEARCH_API_KEY: key, SEARCH_URL: `http://${position}` }
const SEARXNG = { SEARCH_PROVIDER: 'searxng', SEARCH_URL: `http://${position}/searx` }

function searching(variables: Partial<Env>): Pick<ThreadPorts, 'search'> {
  const untrusted = portsOf({ ...env, ...variables })
  return { search: (workspace) => untrusted.search(workspace) }
}

const asks = (): ScriptedModel =>
  new ScriptedModel([
    { content: [use('t1', 'web_search', { query: 'x' }), use('t2', 'image_search', { query: 'y' })] },
    { content: [text('Done.')] },
  ])

async function resultsOf(thread: TestThread): Promise<readonly unknown[]> {
  return (await thread.messages()).flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [block['content']] : [])),
  )
}

describe('a thread', () => {
  it.each([
    ['brave', BRAVE],
    ['searxng', SEARXNG],
  ])(
    "searches where %s is configured, at the operator's address, even a private one",
    async (_, variables) => {
      const model = asks()
      const thread = new TestThread({ ...speaks(model), ...searching(variables) })
      const { run_id } = await thread.start('Look it up.')
      const usd = variables === BRAVE ? 0.01 : 0
      expect(await thread.ended(run_id)).toMatchObject({
        status: 'completed',
        searches: { count: 2, usd },
        charged: { usd, estimated: false },
      })
      expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['web_search', 'image_search']),
      )
      expect(await resultsOf(thread)).toEqual([
        '1. Found\n   https://found.example.com/\n   words',
        expect.stringContaining(
          '1. Found\n   https://found.example.com/a.png\n   on https://found.example.com/',
        ),
      ])
      await thread.checkEnded(run_id, model.requests.length)
    },
  )

  it('has no search without an engine, and keeps the tool with an explanation when the engine is removed', async () => {
    const plain = new ScriptedModel([{ content: [text('Hello.')] }])
    const without = new TestThread({ ...speaks(plain), ...searching({}) })
    await without.ended((await without.start('Hello')).run_id)
    expect(plain.requests[0]?.tools.map(({ name }) => name)).not.toContain('web_search')

    const model = asks()
    const thread = new TestThread({ ...speaks(plain), ...searching(BRAVE) })
    await thread.ended((await thread.start('Hello')).run_id)
    thread.replan({ ...speaks(model), ...searching({}) })
    await thread.kill()
    const { run_id } = await thread.start('Look it up.')
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    expect(await resultsOf(thread)).toEqual(
      [1, 2].map(
        () => 'The search engine is no longer configured on this server. Continue without a search.',
      ),
    )
  })

  it('is told what the workspace forbids', async () => {
    const caller = { ...ANN, workspace: 'w-forbids' }
    const changed = await portsOf(env)
      .workspace(caller.workspace)
      .changeSettings({
        author: 'ann',
        patch: { web: { deny_hosts: ['127.0.0.1'] } },
        expectedVersion: undefined,
      })
    expect(changed.ok).toBe(true)
    const thread = new TestThread({ ...speaks(asks()), ...searching(BRAVE) }, caller)
    const { run_id } = await thread.start('Look it up.')
    await thread.ended(run_id)
    for (const result of await resultsOf(thread))
      expect(result).toContain('is on a host that this workspace denies')
    expect((await thread.receipt(run_id)).searches).toEqual({ count: 0, usd: 0 })
  })
})

/** An engine at one cent a search. Each search ends as the next of `answers` says, once that resolves. */
function paid(
  ...answers: readonly (Billed | Promise<Billed>)[]
): Pick<ThreadPorts, 'search'> & { requested: number } {
  const engine = {
    requested: 0,
    search: () => ({
      usdPerSearch: 0.01,
      send: async () => {
        const billed = await answers[engine.requested++]
        if (billed === undefined || billed === 'yes') return ok([])
        return err({ text: `It was billed: ${billed}.`, mayBeUntrusted: false, billed })
      },
    }),
  }
  return engine
}

describe('a search', () => {
  it('costs what the operator configured', async () => {
    const thread = new TestThread({ ...speaks(asks()), ...searching({ ...BRAVE, SEARCH_PRICE: '20' }) })
    const { run_id } = await thread.start('Look it up.')
    expect(await thread.ended(run_id)).toMatchObject({
      searches: { count: 2, usd: 0.04 },
      charged: { usd: 0.04 },
    })
    expect(await thread.api.info(ANN)).toMatchObject({ value: { charged: { usd: 0.04, estimated: false } } })
  })

  it('that exceeds the budget is not made, even beside others in progress', async () => {
    const engine = paid()
    const thread = new TestThread({ ...speaks(asks()), ...engine })
    const { run_id } = await thread.start('Look it up.', { budget: { ...BUDGET, usd: 0.015 } })
    expect(await thread.ended(run_id)).toMatchObject({
      status: 'completed',
      searches: { count: 1, usd: 0.01 },
    })
    expect(engine.requested).toBe(1)
    expect(await resultsOf(thread)).toEqual([
      expect.stringMatching(/^Nothing was found/),
      "Not searched: a search costs $0.01, and $0.0050 of the run's budget is left. Continue with what you have, or ask the user to raise budget.usd.",
    ])
  })

  it.each<[Billed, Billed, number, boolean]>([
    ['yes', 'no', 1, false],
    ['no', 'no', 0, false],
    ['perhaps', 'no', 1, true],
    ['perhaps', 'yes', 2, true],
  ])('is charged if its engine bills it, or may: %s, %s', async (first, second, count, estimated) => {
    const thread = new TestThread({ ...speaks(asks()), ...paid(first, second) })
    const { run_id } = await thread.start('Look it up.')
    const usd = count / 100
    expect(await thread.ended(run_id)).toMatchObject({
      searches: { count, usd },
      charged: { usd, estimated },
    })
  })

  it('that was in progress when its object died is charged, and so is its repetition; nothing is shown before', async () => {
    const { promise, resolve } = Promise.withResolvers<Billed>()
    const engine = paid(promise, promise)
    const ports = speaks(asks())
    const thread = new TestThread({ ...ports, ...engine })
    const { run_id } = await thread.start('Look it up.')
    await eventually(
      () => engine.requested,
      (requested) => requested === 2,
    )
    expect(await thread.receipt(run_id)).toMatchObject({ searches: { count: 0 }, charged: { usd: 0 } })
    thread.replan({ ...ports, ...paid() })
    await thread.kill()
    await thread.alarm()
    const receipt = await thread.ended(run_id)
    expect(receipt).toMatchObject({ status: 'completed', recoveries: 1, searches: { count: 4, usd: 0.04 } })
    expect(receipt.charged).toMatchObject({ usd: 0.04, estimated: true })
    resolve('yes')
    expect((await thread.receipt(run_id)).searches.count).toBe(4)
  })

  it('whose run was cancelled is charged', async () => {
    const engine = paid(new Promise(() => undefined), new Promise(() => undefined))
    const thread = new TestThread({ ...speaks(asks()), ...engine })
    const { run_id } = await thread.start('Look it up.')
    await eventually(
      () => engine.requested,
      (requested) => requested === 2,
    )
    await thread.api.cancel(ANN, run_id)
    expect(await thread.ended(run_id)).toMatchObject({
      status: 'cancelled',
      searches: { count: 2, usd: 0.02 },
      charged: { usd: 0.02, estimated: true },
    })
  })
})
