// Guards hooks and schedules at a cap: nothing is promised that could not begin, promised runs wait and are not lost,
// and no run gets a larger budget than the workspace allows hooks.

import { beforeAll, describe, expect, it } from 'vitest'
import { fail } from '../../src/lib/result.ts'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import { CAP_RETRY_MAX_MS } from '../../src/unattended/limits.ts'
import type { Hook } from '../../src/webhooks/hook.ts'
import { CappedWorkspaces, monthly, RESETS_AT } from './capped-workspaces.ts'
import { BUILD, config, inside, makeDue, newest, signed, states, Threads } from './hook-fixture.ts'
import * as fixture from './schedule-fixture.ts'

beforeAll(() => servePushedBuild(BUILD))

describe('a hook', () => {
  /** Runs a test in an object that has just been loaded, and so knows nothing of the workspace yet. */
  function loaded(
    hook: ReturnType<typeof config>,
    workspaces: CappedWorkspaces,
    test: (object: Hook, state: DurableObjectState) => Promise<void>,
    threads = new Threads(),
  ): Promise<void> {
    return inside(hook, threads, test, workspaces.bindings)
  }

  it('refuses deliveries at a cap until it opens, promises nothing, and answers earlier deliveries', async () => {
    const hook = config({ user: 'ann' })
    const workspaces = new CappedWorkspaces()
    const [first, second] = [signed(hook, 'msg_1'), signed(hook, 'msg_2')]
    await loaded(hook, workspaces, async (object) => {
      await object.configure(hook)
      expect(await object.deliver(first.headers, first.body, BUILD)).toMatchObject({ ok: true })
      // Without caps, the workspace is not requested for each delivery.
      await object.deliver(second.headers, second.body, BUILD)
      expect(workspaces.requested).toEqual([[`hook:${hook.id}`, 'ann']])
    })
    // Less than the smallest cap is left.
    workspaces.caps = [monthly(5, 4.995)]
    const third = signed(hook, 'msg_3')
    await loaded(hook, workspaces, async (object, state) => {
      const refused = await object.deliver(third.headers, third.body, BUILD)
      if (refused.ok) throw new Error('it was accepted')
      expect(refused.error.code).toBe('quota_exceeded')
      const waitMs = (refused.error.retryAfterS ?? 0) * 1_000
      expect(Math.abs(Date.now() + waitMs - Date.parse(RESETS_AT))).toBeLessThan(60_000)
      // The sender does not learn whose cap it is.
      expect(refused.error.detail).not.toMatch(/workspace|ann/)
      expect(states(state)).toHaveLength(2)
      expect(await object.deliver(first.headers, first.body, BUILD)).toMatchObject({ ok: true })
    })
    workspaces.caps = [monthly(6, 4.995)]
    await loaded(hook, workspaces, async (object) => {
      expect(await object.deliver(third.headers, third.body, BUILD)).toMatchObject({ ok: true })
    })
  })

  it('lets a promised delivery wait for the cap without using up an attempt, and starts it once', async () => {
    const hook = config()
    const threads = new Threads()
    const works = threads.answer
    threads.answer = async () => fail('quota_exceeded', 'The cap is reached.', { retryAfterS: 86_400 })
    const start = signed(hook, 'msg_1')
    await loaded(
      hook,
      new CappedWorkspaces(),
      async (object, state) => {
        await object.configure(hook)
        await object.deliver(start.headers, start.body, BUILD)
        for (let turn = 0; turn < 15; turn++) {
          makeDue(state)
          await object.alarm()
        }
        expect(states(state)).toEqual([['msg_1', 'recorded', 0, 0]])
        const log = await object.deliveries('default', newest(1))
        const [delivery] = log.ok ? log.value.data : []
        expect(delivery?.reason).toBe('quota_exceeded: The cap is reached.')
        // An admin may raise the cap meanwhile.
        const waitMs = Date.parse(delivery?.next_attempt_at ?? '') - Date.now()
        expect(waitMs).toBeLessThanOrEqual(CAP_RETRY_MAX_MS)
        threads.answer = works
        threads.requested.length = 0
        makeDue(state)
        await object.alarm()
        await object.alarm()
        expect([states(state)[0], threads.requested.length]).toEqual([['msg_1', 'started', 1, 1], 1])
      },
      threads,
    )
  })

  it('ends a delivery whose thread has used its cap, because that never opens', async () => {
    const hook = config({ thread: 'one' })
    const threads = new Threads()
    threads.answer = async () => fail('quota_exceeded', 'The cap of this thread is reached.')
    const start = signed(hook, 'msg_1')
    await loaded(
      hook,
      new CappedWorkspaces(),
      async (object, state) => {
        await object.configure(hook)
        await object.deliver(start.headers, start.body, BUILD)
        await object.alarm()
        expect(states(state)[0]).toMatchObject(['msg_1', 'dead', 1, 1])
        expect(threads.failed.map(({ why }) => why)).toEqual([
          'quota_exceeded: The cap of this thread is reached.',
        ])
      },
      threads,
    )
  })

  it('gives its runs no larger budget than the workspace allows, and accepts deliveries while it is unavailable', async () => {
    const hook = config()
    const [threads, workspaces] = [new Threads(), new CappedWorkspaces()]
    workspaces.maxBudget = { usd: 0.25, tool_calls: 0, wall_s: 9_999 }
    const [first, second] = [signed(hook, 'msg_1'), signed(hook, 'msg_2')]
    await loaded(
      hook,
      workspaces,
      async (object) => {
        await object.configure(hook)
        await object.deliver(first.headers, first.body, BUILD)
        await object.alarm()
        const expected = { ...hook.budget, usd: 0.25, tool_calls: 0 }
        expect(threads.requested[0]?.input.budget).toEqual(expected)
        const view = await object.view('default')
        expect(view.ok && view.value.budget).toEqual(hook.budget)
      },
      threads,
    )
    workspaces.isAway = true
    await loaded(hook, workspaces, async (object) => {
      expect(await object.deliver(second.headers, second.body, BUILD)).toMatchObject({ ok: true })
    })
  })
})

describe('a schedule', () => {
  it('records a time at a cap as skipped with the reason, and runs the next one after it', async () => {
    const schedule = fixture.config({ cron: '0 * * * *', user: 'ann' })
    const workspaces = new CappedWorkspaces()
    const { HOUR, START } = fixture
    await fixture.inside(
      schedule,
      async ({ object, wakeAt, occurrences, threads }) => {
        await object.configure(schedule)
        workspaces.caps = [monthly(5, 5)]
        workspaces.maxBudget = { usd: 0.5 }
        await wakeAt(START + HOUR + 120_000)
        expect(workspaces.requested[0]).toEqual([`schedule:${schedule.id}`, 'ann'])
        const reason = `The cap per UTC month for the workspace is reached. The next month begins at ${RESETS_AT}.`
        expect(await occurrences()).toMatchObject([{ state: 'skipped', problem: reason }])
        expect(await object.run('default', BUILD, null)).toMatchObject({
          error: { code: 'quota_exceeded', detail: reason },
        })
        expect(threads.requested).toEqual([])
        workspaces.caps = []
        await wakeAt(START + 2 * HOUR + 120_000)
        expect((await occurrences()).map(({ state }) => state)).toEqual(['started', 'skipped'])
        expect(threads.requested[0]?.input.budget).toEqual({ ...schedule.budget, usd: 0.5 })
      },
      new Threads(),
      workspaces.bindings,
    )
  })
})
