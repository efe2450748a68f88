// Guards what surrounds a run that waits for approval: cancel, deletion, other messages, limits, remembered approvals,
// and runs in which nobody can decide.
import { afterEach, describe, expect, it } from 'vitest'
import { env } from 'cloudflare:workers'
import { objects } from '../../src/env/env.ts'
import { fail, ok } from '../../src/lib/result.ts'
import type { ApprovalInfo } from '../../src/thread/approvals/api.ts'
import { portsOf } from '../../src/thread/ports.ts'
import type { WorkspaceApi } from '../../src/workspace/api.ts'
import { answer, asks, DAY, DONE, newestDigest, resultsOf, settled, waits, YES } from './approving.ts'
import { pauseAt, unwatch } from './plan.ts'
import { ANN, BUDGET, failure, value, type TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { found, searching } from '../fakes/server-search.ts'
import { answersSince, text, use, type Turn } from './scripted-model.ts'
import { tool, World } from './world.ts'

afterEach(unwatch)

async function listed(of: string | null, thread: TestThread): Promise<readonly ApprovalInfo[]> {
  const page = await objects(env).workspace(ANN.workspace).listApprovals(of, null, 100)
  return value(page).data.filter(({ thread_id }) => thread_id === thread.id)
}

describe('a run that waits for approval', () => {
  it('is cancelled at once, then takes no decision, and the queue continues', async () => {
    const { thread, world } = asks((request) =>
      JSON.stringify(request.messages).includes('Next.')
        ? DONE
        : { content: [use('t1', 'pay', { amount: 10 })] },
    )
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const next = await thread.start('Next.', { onBusy: 'enqueue' })
    expect(value(await thread.api.cancel(ANN, run_id))).toMatchObject({ status: 'cancelled', approvals: [] })
    expect(failure(await answer(thread, ANN, run_id, 't1', YES)).code).toBe('approval_closed')
    expect(await thread.ended(next.run_id)).toMatchObject({ status: 'completed' })
    expect(world.ran).toEqual([])
    expect(await resultsOf(thread)).toEqual([['t1', 'Not run: the run was cancelled.']])
    await settled(thread)
    expect(await listed(null, thread)).toEqual([])
    await thread.checkEnded(run_id, 1, false)
  })

  it('is either cancelled or decided when both arrive at once', async () => {
    const { thread, world } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const [output] = await Promise.all([
      answer(thread, ANN, run_id, 't1', YES),
      thread.api.cancel(ANN, run_id),
    ])
    const { status } = await thread.ended(run_id)
    if (!output.ok) expect([status, world.sent]).toEqual(['cancelled', []])
    expect(world.sent.length).toBeLessThanOrEqual(1)
  })

  it('is deleted with its thread', async () => {
    const { thread, world } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    expect(await listed(null, thread)).toHaveLength(1)
    const yes = { ...YES, digest: await newestDigest(thread) }
    value(await thread.api.remove(ANN))
    expect(failure(await thread.api.approve(ANN, run_id, 't1', yes)).code).toBe('not_found')
    expect(await listed(null, thread)).toEqual([])
    await thread.alarm()
    expect(await thread.sql((_, { storage }) => storage.getAlarm())).toBeNull()
    expect(world.ran).toEqual([])
  })

  it('refuses another message by naming the pending approval, and can queue it', async () => {
    const { thread } = asks((request) =>
      answersSince(request) === 0 && request.messages.length === 1 ? PAY : DONE,
    )
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    const { code, detail } = await thread.refused('Hello?')
    expect(code).toBe('thread_busy')
    expect(detail).toContain(`/v1/threads/${thread.id}/runs/${run_id}/approvals/t1`)
    expect(detail).toContain('pay')
    const next = await thread.start('Then this.', { onBusy: 'enqueue' })
    await thread.alarm()
    expect(await thread.status(next.run_id)).toBe('queued')
    value(await answer(thread, ANN, run_id, 't1', YES))
    expect(await thread.ended(next.run_id)).toMatchObject({ status: 'completed' })
  })

  it('answers a request for its end at once with what it waits for', async () => {
    const { thread } = asks()
    const { run_id } = await thread.start('Pay.')
    expect(value(await thread.api.reply(ANN, run_id, 20_000))).toEqual({
      status: 'waiting',
      reason: 'approval',
      tool_use_ids: ['t1'],
      since: expect.stringMatching(/Z$/),
      until: expect.stringMatching(/Z$/),
      by: 'owner',
      detail: "Waiting for the thread's owner or an admin to approve or deny the call to pay.",
    })
  })

  it('releases its run slot and takes it again', async () => {
    const output: string[] = []
    const real = portsOf(env)
    const { thread } = asks(undefined, {
      workspace: (name) => {
        const stub = real.workspace(name)
        const counting = {
          admit: async (run: { queued: boolean }) => (output.push(run.queued ? 'line' : 'in'), ok(null)),
          resume: async () => (output.push('again'), ok(null)),
          leave: async () => (output.push('out'), ok(null)),
          record: (...requested: Parameters<WorkspaceApi['record']>) => stub.record(...requested),
          recordApprovals: (...requested: Parameters<WorkspaceApi['recordApprovals']>) =>
            stub.recordApprovals(...requested),
        }
        return counting as unknown as WorkspaceApi // the cast is safe: a thread calls no other method here
      },
    })
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    expect(output).toEqual(['in', 'out'])
    value(await answer(thread, ANN, run_id, 't1', YES))
    await thread.ended(run_id)
    expect(output).toEqual(['in', 'out', 'again'])
  })

  it('uses no wall time while it waits, but still ends at its limit', async () => {
    const { thread, clock, world } = asks()
    const { run_id } = await thread.start('Pay.', { budget: { ...BUDGET, wall_s: 60 } })
    await waits(thread, run_id)
    clock.ms += 3 * DAY
    pauseAt(thread.name, 'tool.started', async () => {
      clock.ms += 61_000
    })
    value(await answer(thread, ANN, run_id, 't1', YES))
    const receipt = await thread.ended(run_id)
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'budget' })
    expect(receipt.budget['wall_s']?.used).toBeCloseTo(61, 0)
    expect(world.ran).toEqual([])
  })
})

const NEVER = { content: 'never', isError: true }
const PAY: Turn = { content: [use('t1', 'pay', { amount: 10 })] }

describe('a remembered approval', () => {
  /** A thread that makes one payment for each message, with the amount in the message. */
  function paying(world = new World()): ReturnType<typeof asks> {
    return asks(
      (request) => {
        if (answersSince(request) > 0) return DONE
        const output = request.messages.filter(({ content }) => content[0]?.type === 'text')
        const words = String(output.at(-1)?.content.at(-1)?.['text'])
        if (words === 'Look.') return { content: [use(`l${request.messages.length}`, 'page')] }
        if (words === 'Search.')
          return { content: [searching('s1', 'x'), found('s1', 'https://a.test/'), text('Found.')] }
        return {
          content: [use(`t${request.messages.length}`, 'pay', { amount: Number(words), note: words })],
        }
      },
      {
        tools: () => [
          world.paying(),
          tool('page', 'read', async () => ({ content: 'x', isError: false, untrusted: ['web:a.test'] })),
        ],
      },
      world,
    )
  }

  async function pay(thread: TestThread, words: string): Promise<string> {
    const { run_id } = await thread.start(words)
    return eventually(
      async () => String(await thread.status(run_id)),
      (status) => status === 'waiting' || status === 'completed',
    )
  }

  async function first(thread: TestThread, remember: 'run' | 'thread'): Promise<void> {
    const { run_id } = await thread.start('10')
    await waits(thread, run_id)
    value(await answer(thread, ANN, run_id, 't1', { ...YES, remember }))
    await thread.ended(run_id)
  }

  it('for its thread covers the same call in a later run, and no other', async () => {
    const { thread, world } = paying()
    await first(thread, 'thread')
    expect(await pay(thread, '10')).toBe('completed')
    expect(world.sent).toHaveLength(2)
    expect(await pay(thread, '11')).toBe('waiting')
  })

  it('is in the receipt of each call that it covered, with the fields that could differ', async () => {
    const world = new World()
    world.rule = { ask: 'always', free: ['/amount', '/note'] }
    const { thread } = paying(world)
    const { run_id } = await thread.start('10')
    await waits(thread, run_id)
    const [waiting] = await listed(null, thread)
    expect(waiting).toMatchObject({ free: ['/amount', '/note'] })
    const yes = { ...YES, digest: waiting?.digest ?? '', remember: 'thread' as const }
    const given = value(await thread.api.approve(ANN, run_id, 't1', yes))
    const known = { decision: 'approve', by: 'user:ann', at: given.at, free: ['/amount', '/note'] }
    const receipt = await thread.ended(run_id)
    expect(receipt.approvals).toEqual([{ tool_use_id: 't1', ...known, remember: 'thread' }])
    const { run_id: later } = await thread.start('11')
    const remembered = { run_id, tool_use_id: 't1', digest: yes.digest }
    expect((await thread.ended(later)).approvals).toEqual([{ tool_use_id: 't5', ...known, remembered }])
    expect(
      await thread.sql((sql) =>
        sql.exec('SELECT approvals_change = approvals_reported AS same FROM thread').one(),
      ),
    ).toEqual({ same: 1 })
  })

  it('for its run covers no call in a later run', async () => {
    const { thread } = paying()
    await first(thread, 'run')
    expect(await pay(thread, '10')).toBe('waiting')
  })

  it("covers calls that differ only in the rule's free fields", async () => {
    const world = new World()
    world.rule = { ask: 'always', free: ['/amount', '/note'] }
    const { thread } = paying(world)
    await first(thread, 'thread')
    expect(await pay(thread, '11')).toBe('completed')
  })

  it('ends when the tool changes', async () => {
    const { thread, world } = paying()
    await first(thread, 'thread')
    await thread.kill()
    // A built-in tool's digest covers its definition, not its rule.
    const changed = {
      ...world.paying(),
      make: () => ({ timeoutMs: 1_000, definition: 'other', run: async () => NEVER }),
    }
    thread.adjust({ tools: () => [changed] })
    expect(await pay(thread, '10')).toBe('waiting')
  })

  it('ends when more text arrives from a source known at the approval', async () => {
    const { thread, world } = paying()
    expect(await pay(thread, 'Look.')).toBe('completed')
    const { run_id } = await thread.start('10')
    await waits(thread, run_id)
    value(await answer(thread, ANN, run_id, 't5', { ...YES, remember: 'thread' }))
    await thread.ended(run_id)
    expect(await pay(thread, '10')).toBe('completed')
    expect(await pay(thread, 'Look.')).toBe('completed')
    expect(await pay(thread, '10')).toBe('waiting')
    expect(world.sent).toHaveLength(2)
  })

  it("ends when the model's own search finds more", async () => {
    const { thread, world } = paying()
    expect(await pay(thread, 'Search.')).toBe('completed')
    const { run_id } = await thread.start('10')
    await waits(thread, run_id)
    value(await answer(thread, ANN, run_id, 't3', { ...YES, remember: 'thread' }))
    await thread.ended(run_id)
    expect(await pay(thread, '10')).toBe('completed')
    expect(await pay(thread, 'Search.')).toBe('completed')
    expect(await pay(thread, '10')).toBe('waiting')
    expect(world.sent).toHaveLength(2)
  })

  it('ends when text from outside arrives', async () => {
    const { thread, world } = paying()
    await first(thread, 'thread')
    expect(await pay(thread, 'Look.')).toBe('completed')
    expect(await pay(thread, '10')).toBe('waiting')
    expect(world.sent).toHaveLength(1)
  })
})

describe('an approval', () => {
  it('survives settings that are unavailable for a moment', async () => {
    const real = portsOf(env)
    let away = 0
    const { thread, world } = asks(undefined, {
      toolSettings: async (workspace) =>
        away-- > 0 ? fail('overloaded', 'The workspace is away.') : real.toolSettings(workspace),
    })
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    away = 2
    value(await answer(thread, ANN, run_id, 't1', YES))
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    expect(world.sent).toHaveLength(1)
    expect(away).toBeLessThan(0)
  })
})

describe('a run whose approval waits for the workspace', () => {
  it('can be cancelled, and the call is not made', async () => {
    const real = portsOf(env)
    let away = false
    const { thread, world } = asks(undefined, {
      toolSettings: async (workspace) =>
        away ? fail('overloaded', 'The workspace is away.') : real.toolSettings(workspace),
    })
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    away = true
    value(await answer(thread, ANN, run_id, 't1', YES))
    value(await thread.api.cancel(ANN, run_id))
    expect(await thread.ended(run_id)).toMatchObject({ status: 'cancelled' })
    expect(world.sent).toEqual([])
  })
})

describe('a run in which nobody can decide', () => {
  it('refuses the call with the reason, and continues', async () => {
    const { thread, world } = asks()
    const { run_id } = await thread.start('Pay.', { fenced: true })
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed', approvals: [] })
    expect(world.ran).toEqual([])
    expect(await resultsOf(thread)).toEqual([
      ['t1', expect.stringContaining('nobody is available to give it in this run')],
    ])
  })
})

describe('a call that an admin approved in advance', () => {
  it.each([
    ['a hook', true],
    ['a schedule', false],
  ])('is made without an approval in a run of %s', async (_, fenced) => {
    const { thread, world } = asks()
    const allowedCalls = [{ tool: 'pay', fields: { '/amount': 10 }, free: [] }]
    const input = await thread.input('Pay.', { fenced })
    const { run_id } = value(await thread.api.start({ ...ANN, allowedCalls }, input))
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed', approvals: [] })
    expect(world.ran).toHaveLength(1)
  })
})

describe('the list of pending calls', () => {
  it('shows a call to those who may decide it until it is decided, even if the workspace was unavailable', async () => {
    const gate = { open: false }
    const real = portsOf(env)
    const away: Partial<typeof real> = {
      workspace: (name) => {
        const stub = real.workspace(name)
        return new Proxy(stub, {
          get: (target, key) =>
            key === 'recordApprovals' && !gate.open
              ? async () => {
                  throw new Error('away')
                }
              : Reflect.get(target, key),
        })
      },
    }
    const { thread } = asks(undefined, away)
    const { run_id } = await thread.start('Pay.')
    await eventually(
      () => thread.status(run_id),
      (status) => status === 'waiting',
    )
    expect(await listed(null, thread)).toEqual([])
    gate.open = true
    await thread.alarm()
    await settled(thread)
    const mine = await listed('user:ann', thread)
    expect(mine).toMatchObject([
      {
        run_id,
        tool_use_id: 't1',
        name: 'pay',
        input: { amount: 10 },
        by: 'owner',
        request: { method: 'POST' },
      },
    ])
    expect(await listed('user:bob', thread)).toEqual([])
    expect(await listed(null, thread)).toEqual(mine)
    value(await answer(thread, ANN, run_id, 't1', YES))
    await thread.ended(run_id)
    await settled(thread)
    expect(await listed(null, thread)).toEqual([])
  })

  it('hides calls that only an admin may decide from the owner', async () => {
    const world = new World()
    world.rule = { ask: 'always', by: 'admin' }
    const { thread } = asks(undefined, {}, world)
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    expect(await listed('user:ann', thread)).toEqual([])
    expect(await listed(null, thread)).toMatchObject([{ by: 'admin' }])
  })
})
