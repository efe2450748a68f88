// Guards "effects happen once" where a person decides: a call that asks is made at most once, only after a yes by who may
// give it and only as it was shown; nothing is held open meanwhile, and nothing is lost whatever dies.
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { objects } from '../../src/env.ts'
import { APPROVAL_MS } from '../../src/limits.ts'
import type { ApprovalAnswer } from '../../src/thread/api.ts'
import { unwatch } from './plan.ts'
import { ANN, failure, value } from './rig.ts'
import { asks, DAY, DENY, OWN, resultsOf, waits, YES } from './approving.ts'
import { text, use } from './scripted-model.ts'

const BOB = { ...ANN, keyId: 'k2', user: 'bob' }
const ADMIN = { ...ANN, keyId: 'k9', role: 'admin' as const, user: null }

afterEach(unwatch)

describe('a call that asks', () => {
  it('waits with nothing held open, and is made once after a yes five days later and a restart', async () => {
    const { thread, world, clock, model } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    expect(world.ran).toEqual([])
    expect(value(await thread.api.info(ANN)).status).toBe('busy')
    expect(await thread.receipt(run_id)).toMatchObject({
      status: 'waiting',
      approvals: [],
      stop_reason: null,
    })
    await evictDurableObject(env.THREADS.getByName(thread.name))
    clock.ms += 5 * DAY
    expect(value(await thread.api.approve(ANN, run_id, 't1', YES))).toMatchObject({
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
    expect(world.sent).toEqual([`${run_id}:t1`])
    const events = await thread.checkEnded(run_id, model.requests.length)
    expect(
      events.map(({ type }) => type).filter((type) => /approval|waiting|resumed|tool\./.test(type)),
    ).toEqual([
      ...[
        'approval.requested',
        'run.waiting',
        'approval.decided',
        'run.resumed',
        'tool.started',
        'tool.completed',
      ],
    ])
    expect(model.problems).toEqual([])
  })
})
