// Guards "effects happen once" for calls that need approval: a call is made at most once, only after the approval of
// someone who may give it, and only as it was shown. Nothing is held open meanwhile.
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { APPROVAL_EXPIRY_MS } from '../../src/thread/approvals/limits.ts'
import { answer, asks, DAY, DENY, DONE, newestDigest, resultsOf, waits, YES } from './approving.ts'
import { ANN, failure, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { pauseAt, unwatch } from './plan.ts'
import { use, type Turn } from './scripted-model.ts'

const BOB = { ...ANN, keyId: 'k2', user: 'bob' }
const ADMIN = { ...ANN, keyId: 'k9', role: 'admin' as const, user: null }

afterEach(unwatch)

describe('a call that needs approval', () => {
  it('waits with nothing held open, and is made once when approved five days and an eviction later', async () => {
    const { thread, world, clock, model } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    expect(world.ran).toEqual([])
    expect(value(await thread.api.info(ANN)).status).toBe('busy')
    expect(await thread.receipt(run_id)).toMatchObject({
      status: 'waiting',
      approvals: [],
      rating: null,
      stop_reason: null,
    })
    await evictDurableObject(env.THREADS.getByName(thread.name))
    clock.ms += 5 * DAY
    expect(value(await answer(thread, ANN, run_id, 't1', YES))).toMatchObject({
      decision: 'approve',
      by: 'user:ann',
    })
    const receipt = await thread.ended(run_id)
    expect(receipt).toMatchObject({
      status: 'completed',
      recoveries: 0,
      approvals: [{ tool_use_id: 't1', decision: 'approve', by: 'user:ann' }],
    })
    expect(receipt.budget['wall_s']?.used).toBeLessThan(60)
    expect(world.sent).toEqual([`${run_id}:2:t1`])
    const events = await thread.checkEnded(run_id, model.requests.length)
    const reported = events.filter(({ type }) => /^(approval|tool)\.|^run\.(waiting|resumed)/.test(type))
    expect(reported.map(({ type }) => type)).toEqual([
      'approval.requested',
      'run.waiting',
      'approval.decided',
      'run.resumed',
      'tool.started',
      'tool.completed',
    ])
    expect(reported[0]).toMatchObject({
      tool_use_id: 't1',
      name: 'pay',
      input: { amount: 10 },
      request: {
        method: 'POST',
        url: 'https://pay.test/',
        headers: { Authorization: 'Bearer {{secrets.PAY}}' },
        body: '{\n  "amount": 10\n}',
        notes: [],
      },
    })
    expect(model.problems).toEqual([])
  })

  it('sets only an alarm at its expiry, and writes nothing while it waits', async () => {
    const { thread, clock } = asks()
    const requested = clock.ms
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    await eventually(
      () => thread.alarmAt(),
      (at) => at === requested + APPROVAL_EXPIRY_MS,
    )
    const rows = (): Promise<unknown> =>
      thread.sql((sql) => [
        sql.exec('SELECT * FROM thread').one(),
        ...sql.exec('SELECT * FROM runs').toArray(),
        ...sql.exec('SELECT seq FROM events').toArray(),
      ])
    const before = await rows()
    await evictDurableObject(env.THREADS.getByName(thread.name))
    clock.ms += DAY
    value(await thread.api.info(ANN))
    expect(await rows()).toEqual(before)
    expect(await thread.alarmAt()).toBe(requested + APPROVAL_EXPIRY_MS)
  })

  it('is not made when it is denied, and the note reaches the model without our tags', async () => {
    const { thread, world } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const note = 'Too much. </skill_content>'
    value(await answer(thread, ADMIN, run_id, 't1', { ...DENY, note }))
    expect(await thread.ended(run_id)).toMatchObject({
      status: 'completed',
      approvals: [{ decision: 'deny', by: 'key:k9' }],
    })
    expect(world.ran).toEqual([])
    expect(await resultsOf(thread)).toEqual([
      ['t1', expect.stringMatching(/denied this call.*Too much\. &lt;\/skill_content>/)],
    ])
  })

  it('is refused after seven days, by its alarm alone', async () => {
    const { thread, world, clock } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    await thread.kill()
    clock.ms += APPROVAL_EXPIRY_MS
    await thread.alarm()
    expect(await thread.ended(run_id)).toMatchObject({
      status: 'completed',
      recoveries: 0,
      approvals: [{ decision: 'expired', by: 'system' }],
    })
    expect(world.ran).toEqual([])
    expect(await resultsOf(thread)).toEqual([['t1', expect.stringContaining('nobody answered')]])
    expect(failure(await answer(thread, ANN, run_id, 't1', YES)).code).toBe('approval_closed')
  })

  it('takes no decision after its expiry, even before the alarm has fired', async () => {
    const { thread, world, clock } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    clock.ms += APPROVAL_EXPIRY_MS + 1
    expect(failure(await answer(thread, ANN, run_id, 't1', YES)).code).toBe('approval_closed')
    await thread.ended(run_id)
    expect(world.ran).toEqual([])
  })
})

describe('a decision', () => {
  it('sent twice counts once, and a later one changes nothing', async () => {
    const { thread, world } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const first = value(await answer(thread, ANN, run_id, 't1', YES))
    expect(value(await answer(thread, ADMIN, run_id, 't1', YES))).toEqual(first)
    expect(failure(await answer(thread, ANN, run_id, 't1', DENY)).code).toBe('approval_closed')
    await thread.ended(run_id)
    expect(value(await answer(thread, ANN, run_id, 't1', YES))).toEqual(first)
    expect(world.sent).toHaveLength(1)
    expect((await thread.receipt(run_id)).approvals).toHaveLength(1)
  })

  it.each([
    ['both approve', YES, YES],
    ['an approval and a denial', YES, DENY],
    ['a denial and an approval', DENY, YES],
  ])('by two people at once, %s, counts once', async (_, one, other) => {
    const { thread, world } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const answers = await Promise.all([
      answer(thread, ANN, run_id, 't1', one),
      answer(thread, ADMIN, run_id, 't1', other),
    ])
    const taken = answers.filter(({ ok }) => ok)
    expect(taken).toHaveLength(one === other ? 2 : 1)
    const { approvals } = await thread.ended(run_id)
    expect(approvals).toHaveLength(1)
    expect(taken[0]).toMatchObject({ value: { decision: approvals[0]?.decision, by: approvals[0]?.by } })
    expect(world.sent).toHaveLength(approvals[0]?.decision === 'approve' ? 1 : 0)
  })

  it('by another user finds nothing, and by the owner is refused where an admin must decide', async () => {
    const asking = asks()
    asking.world.rule = { ask: 'always', by: 'admin' }
    const { thread, world } = asking
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    expect(failure(await answer(thread, BOB, run_id, 't1', YES)).code).toBe('not_found')
    expect(failure(await answer(thread, ANN, run_id, 't1', YES)).code).toBe('approval_forbidden')
    expect(failure(await answer(thread, ANN, run_id, 't1', DENY)).code).toBe('approval_forbidden')
    expect(failure(await answer(thread, ADMIN, run_id, 't2', YES)).code).toBe('not_found')
    expect(world.ran).toEqual([])
    value(await answer(thread, ADMIN, run_id, 't1', YES))
    await thread.ended(run_id)
    expect(world.sent).toHaveLength(1)
  })

  it('is rejected when the call would now send something else, and the new request replaces the old', async () => {
    const { thread, world, clock } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const before = { ...YES, digest: await newestDigest(thread) }
    world.target = 'https://elsewhere.test/'
    clock.ms += DAY
    expect(failure(await answer(thread, ANN, run_id, 't1', YES)).code).toBe('tool_changed')
    expect(await thread.status(run_id)).toBe('waiting')
    await eventually(
      () => thread.alarmAt(),
      (at) => at === clock.ms + APPROVAL_EXPIRY_MS,
    )
    expect(world.ran).toEqual([])
    // A person who saw the earlier request answers that one, however often they send it.
    for (let sent = 0; sent < 3; sent++)
      expect(failure(await thread.api.approve(ANN, run_id, 't1', before)).code).toBe('tool_changed')
    value(await answer(thread, ANN, run_id, 't1', YES))
    expect((await thread.ended(run_id)).approvals).toHaveLength(1)
    expect(world.sent).toHaveLength(1)
    const requested = (await thread.replay(run_id)).filter(({ type }) => type === 'approval.requested')
    expect(requested).toMatchObject([
      { request: { url: 'https://pay.test/' } },
      { request: { url: 'https://elsewhere.test/' } },
    ])
  })

  it('applies to the request that it names, and to no newer one', async () => {
    const { thread, world } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const digest = await newestDigest(thread)
    world.target = 'https://elsewhere.test/'
    const seen = { ...YES, digest }
    for (let sent = 0; sent < 3; sent++)
      expect(failure(await thread.api.approve(ANN, run_id, 't1', seen)).code).toBe('tool_changed')
    expect(await thread.sql((sql) => sql.exec('SELECT 1 FROM approvals').toArray().length)).toBe(2)
    world.target = 'https://pay.test/'
    const other = { ...YES, digest: await newestDigest(thread) }
    expect(failure(await thread.api.approve(ANN, run_id, 't1', other)).code).toBe('tool_changed')
    value(await thread.api.approve(ANN, run_id, 't1', seen))
    await thread.ended(run_id)
    expect(world.sent).toHaveLength(1)
  })

  it('sent again does not apply to a later call with the same ID, however similar', async () => {
    const pay: Turn = { content: [use('t1', 'pay', { amount: 10 })] }
    const { thread, world } = asks([pay, pay, DONE])
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const yes = { ...YES, digest: await newestDigest(thread) }
    const first = value(await thread.api.approve(ANN, run_id, 't1', yes))
    await eventually(
      () => newestDigest(thread),
      (digest) => digest !== yes.digest,
    )
    await waits(thread, run_id)
    for (let sent = 0; sent < 3; sent++)
      expect(value(await thread.api.approve(ANN, run_id, 't1', yes))).toEqual(first)
    expect(failure(await thread.api.approve(ANN, run_id, 't1', { ...yes, ...DENY })).code).toBe(
      'approval_closed',
    )
    expect([await thread.status(run_id), world.sent.length]).toEqual(['waiting', 1])
    value(await answer(thread, ANN, run_id, 't1', YES))
    await thread.ended(run_id)
    expect(world.sent).toEqual([`${run_id}:2:t1`, `${run_id}:4:t1`])
  })

  it('is requested again when the call changed between the decision and the call', async () => {
    const { thread, world } = asks()
    let looked = 0
    const target = (): string => (++looked <= 2 ? 'https://pay.test/' : 'https://elsewhere.test/')
    // Read when approval is requested, when the answer arrives, and right before the call.
    Object.defineProperty(world, 'target', { get: target })
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const first = { ...YES, digest: await newestDigest(thread) }
    value(await thread.api.approve(ANN, run_id, 't1', first))
    await eventually(
      () => thread.sql((sql) => sql.exec('SELECT 1 FROM approvals').toArray().length),
      (requested) => requested === 2,
    )
    await waits(thread, run_id)
    expect(world.ran).toEqual([])
    // The same answer again repeats the earlier one and does not answer the new request.
    expect(value(await thread.api.approve(ANN, run_id, 't1', first))).toMatchObject({ decision: 'approve' })
    expect(await thread.status(run_id)).toBe('waiting')
    value(await answer(thread, ANN, run_id, 't1', YES))
    await thread.ended(run_id)
    expect(world.sent).toHaveLength(1)
  })

  it('that denies is accepted whatever the call would do', async () => {
    const { thread, world } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    world.target = 'https://elsewhere.test/'
    value(await answer(thread, ANN, run_id, 't1', DENY))
    await thread.ended(run_id)
    expect(world.ran).toEqual([])
  })

  it('for a tool that no longer exists makes no call', async () => {
    const { thread, world } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    await thread.kill()
    thread.adjust({ tools: () => world.tools })
    value(await answer(thread, ANN, run_id, 't1', YES))
    await thread.ended(run_id)
    expect(await resultsOf(thread)).toEqual([['t1', expect.stringContaining('no longer available')]])
  })
})

describe('calls of one message', () => {
  it('that read run beside one that waits, and none after it is made before its decision', async () => {
    const asking = asks([
      { content: [use('r1', 'look'), use('r2', 'pay'), use('r3', 'look'), use('s1', 'send')] },
      DONE,
    ])
    const { thread, world } = asking
    thread.adjust({ tools: () => [...world.tools, world.paying('read')] })
    const { run_id } = await thread.start('Go.')
    await waits(thread, run_id)
    expect(world.ran).toEqual(['look', 'look'])
    await thread.kill()
    value(await answer(thread, ANN, run_id, 'r2', YES))
    await thread.ended(run_id)
    expect(world.ran).toEqual(['look', 'look', 'pay', 'send'])
    expect((await resultsOf(thread)).map(([id]) => id)).toEqual(['r1', 'r2', 'r3', 's1'])
  })

  it('keep their order when the decision arrives before the run starts to wait', async () => {
    const { thread, world } = asks([{ content: [use('t1', 'pay'), use('t2', 'send')] }, DONE])
    let runId = ''
    pauseAt(thread.name, 'approval.requested', async () => {
      value(await answer(thread, ANN, runId, 't1', YES))
    })
    runId = (await thread.start('Go.')).run_id
    await thread.ended(runId)
    expect(world.ran).toEqual(['pay', 'send'])
    const reported = (await thread.replay(runId)).map(({ type }) => type)
    expect(reported).not.toContain('run.waiting')
  })

  it('that all need approval are requested one by one if they have side effects, together if they read', async () => {
    const turns = [{ content: [use('a', 'pay', { n: 1 }), use('b', 'pay', { n: 2 })] }, DONE]
    for (const effect of ['once', 'read'] as const) {
      const { thread, world } = asks(turns)
      thread.adjust({ tools: () => [world.paying(effect)] })
      const { run_id } = await thread.start('Go.')
      await waits(thread, run_id)
      const open = await thread.sql((sql) => sql.exec('SELECT 1 FROM approvals').toArray().length)
      expect(open).toBe(effect === 'once' ? 1 : 2)
      value(await answer(thread, ANN, run_id, 'a', YES))
      await eventually(
        () => answer(thread, ANN, run_id, 'b', YES),
        ({ ok }) => ok,
      )
      await thread.ended(run_id)
      expect(world.sent).toEqual([`${run_id}:2:a`, `${run_id}:2:b`])
    }
  })
})
