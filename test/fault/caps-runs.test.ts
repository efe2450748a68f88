// Guards what caps do to a run: it ends with a readable reason and keeps its text, people are warned once, nothing is
// spent while nobody can say how much is left, and without a cap nothing changes.

import { describe, expect, it } from 'vitest'
import { LEASE_MS } from '../../src/limits/caps.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { answer, asks, waits, YES } from './approving.ts'
import { Town, writes } from './capped-town.ts'
import { value } from './rig.ts'
import { hang, ScriptedModel, text, use } from './scripted-model.ts'

const DAY = '2031-05-30'

/** A model that calls a tool `steps` times, and writes as much as it may, up to `output` tokens. */
function writing(steps: number, output = 10_000): ScriptedModel {
  return new ScriptedModel(() => ({
    act: async ({ maxTokens, messages }) => {
      const step = messages.filter(({ role }) => role === 'assistant').length
      const call = use(`t${step}`, 'load_skill', { name: 'api-design' })
      return writes(
        step % (steps + 1) < steps ? [text('Working.'), call] : [text('Done.')],
        1_000,
        Math.min(maxTokens, output),
      )
    },
  }))
}

it('a run that reaches a cap ends with the reason, keeps its text, and warns once; then messages are refused', async () => {
  const town = new Town('caps-end', DAY)
  await town.limit({ workspace: { day: { usd: 0.4 } } })
  const capped = town.thread(writing(20))
  const { run_id } = await capped.start()
  const { status, stop_reason, error, charged } = await capped.ended(run_id)
  expect({ status, stop_reason, error }).toMatchObject({
    status: 'failed',
    stop_reason: 'quota_exceeded',
    error: {
      code: 'quota_exceeded',
      status: 429,
      detail:
        'The cap of $0.4 per UTC day for the workspace is reached. It resets with the next UTC day; an admin can raise it with PATCH /admin/limits.',
    },
  })
  expect(charged.usd).toBeGreaterThan(0.3)
  expect(charged.usd).toBeLessThanOrEqual(0.4)
  expect(JSON.stringify(await capped.messages())).toContain('Working.')
  const warnings = (await capped.checkEnded(run_id, 2)).filter(({ type }) => type === 'budget.warning')
  expect(warnings).toMatchObject([
    { detail: '80 % of the cap of $0.4 per UTC day for the workspace is spent or reserved.' },
  ])
  await eventually(
    () => town.counted(DAY),
    ({ leased }) => leased === 0,
  )
  const refused = await capped.refused('More.')
  expect(refused.code).toBe('quota_exceeded')
  expect(refused.retryAfterS).toBeGreaterThan(60)
})

it('a run without caps or far from them makes no additional requests', async () => {
  for (const [name, usd] of [
    ['caps-none', null],
    ['caps-far', 1_000],
  ] as const) {
    const town = new Town(name, DAY)
    if (usd) await town.limit({ key: { day: { usd } } })
    const quick = town.thread(writing(3, 100))
    const { run_id } = await quick.start()
    expect(await quick.ended(run_id)).toMatchObject({ status: 'completed', steps: 4 })
    await eventually(() => town.calls.includes('record'))
    expect([...new Set(town.calls)].toSorted()).toEqual(['admit', 'record'])
    expect(town.calls.filter((call) => call === 'admit')).toHaveLength(1)
    const leases = await quick.sql((sql) => sql.exec('SELECT lease FROM runs').toArray())
    expect(leases.map(({ lease }) => lease !== null)).toEqual([usd !== null])
  }
})

describe('while the workspace does not say what a run may spend', () => {
  const SILENCE =
    'The workspace did not say within 0.1 s what the run may spend, so nothing more was spent. Send the message again.'
  const ADMIN = { keyId: 'admin', role: 'admin', user: null } as const

  it('it spends nothing, also in a new thread of a key of which nothing is known, and goes on once it does', async () => {
    const town = new Town('caps-away', DAY)
    const model = writing(0)
    const known = town.thread(model)
    expect(await known.ended((await known.start()).run_id)).toMatchObject({ status: 'completed' })
    const { length } = model.requests
    town.away = true
    const unknown = town.thread(model, ADMIN)
    for (const closed of [unknown, known]) {
      const ended = await closed.ended((await closed.start()).run_id)
      expect(ended).toMatchObject({ stop_reason: 'internal', model_calls: 0, charged: { tokens: 0, usd: 0 } })
      expect(ended.error).toMatchObject({ status: 500, detail: SILENCE })
    }
    expect(model.requests).toHaveLength(length)
    town.leaseWaitMs = 60_000
    const patient = await unknown.start()
    town.away = false
    expect(await unknown.ended(patient.run_id)).toMatchObject({ status: 'completed' })
    // No caps apply, so it does not ask again.
    expect(await unknown.ended((await unknown.start()).run_id)).toMatchObject({ status: 'completed' })
    expect(town.calls.filter((call) => call === 'lease').length).toBeLessThan(10)
  })

  it('it can be cancelled at once', async () => {
    const town = new Town('caps-cancelled', DAY)
    town.away = true
    town.leaseWaitMs = 3_600_000
    const waiting = town.thread(writing(0))
    const { run_id } = await waiting.start()
    await eventually(() => town.calls.includes('lease'))
    await waiting.api.cancel(waiting.caller, run_id)
    expect(await waiting.ended(run_id)).toMatchObject({ status: 'cancelled', charged: { usd: 0 } })
  })

  it('one of a hook does not begin, and one that waits in a queue goes on waiting, so that neither is lost', async () => {
    const town = new Town('caps-hook-away', DAY)
    const model = new ScriptedModel((_, call) =>
      call === 0 ? { act: (_request, _delta, signal) => hang(signal) } : { content: [text('Done.')] },
    )
    const hook = town.thread(model, { keyId: 'hook:hk_1', user: null })
    const first = await hook.start('One.')
    const second = await hook.start('Two.', { onBusy: 'enqueue' })
    town.away = true
    await hook.api.cancel(hook.caller, first.run_id)
    await eventually(() => town.calls.includes('resume'))
    expect(await hook.status(second.run_id)).toBe('queued')
    const other = town.thread(model, { keyId: 'hook:hk_1', user: null })
    expect(await other.refused('Three.')).toMatchObject({ code: 'too_many_runs', retryAfterS: 1 })
    expect(model.requests).toHaveLength(1)
    town.away = false
    town.ahead += 60_000
    await hook.alarm()
    expect(await hook.ended(second.run_id)).toMatchObject({ status: 'completed' })
    expect(await other.ended((await other.start('Three.')).run_id)).toMatchObject({ status: 'completed' })
  })

  it('one of a key that waited in a queue begins and ends with the reason', async () => {
    const town = new Town('caps-queue-away', DAY)
    const model = new ScriptedModel((_, call) =>
      call === 0 ? { act: (_request, _delta, signal) => hang(signal) } : { content: [text('Done.')] },
    )
    const queue = town.thread(model)
    const first = await queue.start('One.')
    const second = await queue.start('Two.', { onBusy: 'enqueue' })
    town.away = true
    await queue.api.cancel(queue.caller, first.run_id)
    const ended = await queue.ended(second.run_id)
    expect(ended).toMatchObject({ stop_reason: 'internal', model_calls: 0 })
    expect(ended.error?.detail).toBe(SILENCE)
  })
})

it('renews a lease that is an hour old', async () => {
  const town = new Town('caps-hour', DAY)
  await town.limit({ key: { day: { usd: 100 } } })
  const model = new ScriptedModel(({ messages }) => {
    if (messages.length > 1) return { content: [text('Done.')] }
    town.ahead = LEASE_MS
    return { content: [use('t1', 'load_skill', { name: 'api-design' })] }
  })
  const long = town.thread(model)
  const budget = { ...(await long.input('')).budget, wall_s: 7_200 }
  const { run_id } = await long.start('Go.', { budget })
  expect(await long.ended(run_id)).toMatchObject({ status: 'completed' })
  expect(town.calls.filter((call) => call === 'lease')).toHaveLength(1)
})

it('returns its unused lease while it waits for approval', async () => {
  const town = new Town('w1', DAY)
  await town.limit({ workspace: { day: { tokens: 1_000_000 } } })
  const { thread: waiting, world } = asks(undefined, { workspace: () => town.port() })
  const { run_id } = await waiting.start('Pay.')
  await waits(waiting, run_id)
  const held = await eventually(
    () => town.sql((sql) => sql.exec<{ tokens: number }>('SELECT tokens FROM leases').one().tokens),
    (tokens) => tokens < 10_000,
  )
  expect(held).toBe((await waiting.receipt(run_id)).charged.tokens)
  value(await answer(waiting, waiting.caller, run_id, 't1', YES))
  expect(await waiting.ended(run_id)).toMatchObject({ status: 'completed' })
  expect(world.ran).toHaveLength(1)
  await town.limit({ workspace: null })
})

it('at a cap, a queued run of a key ends, and one of a hook waits until there is more', async () => {
  const town = new Town('caps-queue', DAY)
  for (const keyId of ['k1', 'hook:hk_1']) {
    const model = new ScriptedModel((_, call) =>
      call === 0 ? { act: (_request, _delta, signal) => hang(signal) } : { content: [text('Done.')] },
    )
    const queue = town.thread(model, { keyId })
    const first = await queue.start('One.')
    const second = await queue.start('Two.', { onBusy: 'enqueue' })
    await town.limit({ workspace: { day: { usd: 0.01 } } })
    await queue.api.cancel(queue.caller, first.run_id)
    if (keyId === 'k1') {
      const ended = await queue.ended(second.run_id)
      expect(ended).toMatchObject({ stop_reason: 'quota_exceeded', model_calls: 0 })
      expect(ended.error?.detail).toContain('The cap of $0.01 per UTC day for the workspace is reached.')
    } else {
      await eventually(() => town.calls.filter((call) => call === 'resume').length > 1)
      expect(await queue.status(second.run_id)).toBe('queued')
    }
    await town.limit({ workspace: { day: { usd: 10 } } })
    town.ahead += 120_000
    await queue.alarm()
    if (keyId !== 'k1') expect(await queue.ended(second.run_id)).toMatchObject({ status: 'completed' })
    await town.limit({ workspace: null })
  }
})

it('a cap of a thread covers all of its runs, and no others', async () => {
  const town = new Town('caps-thread', DAY)
  await town.limit({ thread: { usd: 0.3 } })
  const model = writing(0)
  const long = town.thread(model)
  const first = await long.ended((await long.start()).run_id)
  const last = await long.ended((await long.start()).run_id)
  expect(first).toMatchObject({ status: 'completed' })
  const third = await long.ended((await long.start()).run_id)
  expect(third).toMatchObject({ stop_reason: 'quota_exceeded' })
  expect(third.error?.detail).toContain('The thread has reached its cap.')
  expect(first.charged.usd + last.charged.usd + third.charged.usd).toBeLessThanOrEqual(0.3)
  const other = town.thread(model)
  expect(await other.ended((await other.start()).run_id)).toMatchObject({ status: 'completed' })
})
