// Guards that caps hold in every kind of paid call: summaries, searches and runs of forks; and while the workspace is away for
// a minute, after which everything works again and nothing was handed out twice.

import { describe, expect, it } from 'vitest'
import type { Receipt } from '../../src/agent/events.ts'
import { microUsd } from '../../src/lib/money.ts'
import { ok, type Failure } from '../../src/lib/result.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { priced, sumOf, Town, writes } from './capped-town.ts'
import { BUDGET, value, type TestThread } from './rig.ts'
import { ScriptedModel, text, use } from './scripted-model.ts'

const DAY = '2031-05-30'

async function fork(parent: TestThread, child: TestThread): Promise<TestThread> {
  const [first] = await parent.messages()
  const input = { threadId: child.id, from: parent.id, messageId: first?.id ?? '', key: null }
  value(await child.api.fork(child.caller, input))
  return child
}

describe('a cap that is reached', () => {
  it('in a summary lets code write the summary, and ends the run before its next call', async () => {
    const town = new Town('caps-summary', DAY)
    const words = 'word '.repeat(24_000)
    const kinds: string[] = []
    const model = new ScriptedModel(({ tools, messages, maxTokens }) => ({
      act: async () => {
        const isStep = messages.length === 1 && tools.length > 0
        kinds.push(isStep ? 'step' : 'another')
        return writes([use('t1', 'load_skill', { name: 'api-design' })], 31_000, Math.min(maxTokens, 2_500))
      },
    }))
    await town.limit({ workspace: { day: { usd: 0.16 } } })
    const long = town.thread(model, {}, town.ports(model, priced(40_000)))
    const { run_id } = await long.start(words)
    const { stop_reason, error, charged } = await long.ended(run_id)
    expect(stop_reason).toBe('quota_exceeded')
    expect(error?.detail).toContain('The cap of $0.16 per UTC day for the workspace is reached.')
    expect(kinds).toEqual(['step'])
    expect(charged.usd).toBeLessThanOrEqual(0.16)
    const border = (await long.replay(run_id)).find(({ type }) => type === 'context.compacted')
    expect(border).toMatchObject({ way: 'code', cost_usd: 0 })
  })

  it('by searches refuses each one that it does not cover, and no other, also of those made at the same time', async () => {
    const town = new Town('caps-search', DAY)
    await town.limit({ workspace: { day: { usd: 2 } } })
    const sent: string[] = []
    const engine: Pick<ThreadPorts, 'search'> = {
      search: () => ({
        usdPerSearch: 0.6,
        send: async (_kind, query) => {
          sent.push(query)
          return ok([])
        },
      }),
    }
    const queries = ['a', 'b', 'c', 'd']
    const model = new ScriptedModel(({ messages }) => ({
      act: async () =>
        writes(
          messages.length > 1
            ? [text('Done.')]
            : queries.map((query) => use(`t_${query}`, 'web_search', { query })),
          1_000,
          100,
        ),
    }))
    const searching = town.thread(model, {}, { ...town.ports(model), ...engine })
    const { run_id } = await searching.start('Look.', { budget: { ...BUDGET, usd: 100 } })
    const ended = await searching.ended(run_id)
    expect(ended).toMatchObject({ status: 'completed', searches: { count: 3 } })
    expect(sent).toHaveLength(3)
    expect(JSON.stringify(await searching.messages())).toContain(
      'Not searched: The cap of $2 per UTC day for the workspace is reached.',
    )
    expect(ended.charged.usd).toBeLessThanOrEqual(2)
    await eventually(
      () => town.counted(DAY),
      ({ spent, leased }) => spent === microUsd(ended.charged.usd) && leased === 0,
    )
  })

  it('holds for forks, which count for the same key; each has the cap of a thread for itself', async () => {
    const town = new Town('caps-fork', DAY)
    await town.limit({ key: { day: { usd: 0.4 } }, thread: { usd: 0.15 } })
    const model = new ScriptedModel(() => ({
      act: async ({ maxTokens }) => writes([text('Done.')], 1_000, Math.min(maxTokens, 8_000)),
    }))
    const parent = town.thread(model)
    const charged = [(await parent.ended((await parent.start()).run_id)).charged.usd]
    const settled = (): ReturnType<Town['counted']> =>
      eventually(
        () => town.counted(DAY, 'key:k1'),
        ({ leased }) => leased === 0,
      )
    let refusal: Failure | null = null
    for (let count = 0; refusal === null && count < 6; count++) {
      const child = await fork(parent, town.thread(model))
      const started = await child.api.start(child.caller, await child.input('Here.'))
      if (started.ok) charged.push((await child.ended(started.value.run_id)).charged.usd)
      else refusal = started.error
      await settled()
    }
    expect(refusal?.detail).toContain('The cap of $0.4 per UTC day for key k1 is reached.')
    const sum = charged.reduce((all, usd) => all + microUsd(usd), 0)
    expect(sum).toBeLessThanOrEqual(microUsd(0.4))
    expect((await settled()).spent).toBe(sum)
    expect(charged.slice(0, 2).map((usd) => usd > 0.1)).toEqual([true, true])
  })
})

it('a workspace that is away for a minute ends runs readably, hands out nothing twice, and then all works', async () => {
  const town = new Town('caps-minute', DAY)
  await town.limit({ workspace: { day: { usd: 3 } }, key: { day: { runs: 60 } } })
  let isOpen = false
  let calls = 0
  const model = new ScriptedModel(({ messages }) => ({
    act: async ({ maxTokens }) => {
      calls += 1
      await eventually(() => isOpen || town.away)
      const more = messages.length < 3 && messages.length > 0
      const content = more
        ? [use(`t${messages.length}`, 'load_skill', { name: 'api-design' })]
        : [text('Done.')]
      return writes(content, 1_000, Math.min(maxTokens, 3_000))
    },
  }))
  const threads = Array.from({ length: 12 }, () => town.thread(model))
  const runs: (readonly [TestThread, string])[] = []
  const start = async (thread: TestThread): Promise<void> => {
    const started = await thread.api.start(thread.caller, await thread.input('Go.', { onBusy: 'enqueue' }))
    if (started.ok) runs.push([thread, started.value.run_id])
  }
  // Six runs are in a call when the workspace goes; one of them has another behind it.
  await Promise.all(threads.slice(0, 6).map(start))
  await start(threads[0]!)
  await eventually(
    () => calls,
    (begun) => begun >= 6,
  )
  town.away = true
  for (let second = 0; second < 60; second += 10) {
    const thread = threads[6 + second / 10]!
    await start(thread)
    await threads[second / 10]?.kill()
    town.ahead += 10_000
    for (const each of threads) await each.alarm()
  }
  const receiptsOf = (): Promise<readonly Receipt[]> =>
    Promise.all(runs.map(([thread, run]) => thread.receipt(run)))
  const endAll = (): Promise<readonly Receipt[]> =>
    eventually(
      async () => {
        for (const thread of threads) await thread.alarm()
        return receiptsOf()
      },
      (receipts) => receipts.every(({ ended_at }) => ended_at !== null),
    )
  for (const { status, stop_reason, error, charged } of await endAll()) {
    if (status === 'completed') continue
    expect(stop_reason).toBe('internal')
    expect(error?.detail).toContain('The workspace did not say within 0.1 s what the run may spend')
    expect(charged.usd).toBeLessThan(1)
  }
  expect(runs).toHaveLength(13)
  town.away = false
  isOpen = true
  for (const thread of threads) await start(thread)
  const receipts = await endAll()
  expect(receipts.slice(13).map(({ status }) => status)).toEqual(threads.map(() => 'completed'))
  const charged = receipts.reduce((sum, receipt) => sum + microUsd(receipt.charged.usd), 0)
  await eventually(
    async () => {
      for (const thread of threads) await thread.alarm()
      const rows = value(await town.real.listRuns({}, null, 100)).data.length
      return { ...(await town.counted(DAY)), rows }
    },
    ({ spent, leased, rows }) => leased === 0 && rows === runs.length && spent === charged,
  )
  // Each run that called the model counts once.
  const counted = await town.sql((sql) =>
    sumOf(sql, `SELECT runs AS n FROM cap_sums WHERE scope = 'key:k1' AND window = '${DAY}'`),
  )
  expect(counted).toBe(receipts.filter(({ model_calls }) => model_calls > 0).length)
})
