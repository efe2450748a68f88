// Promise: whatever dies between a run's end and its callback, the endpoint gets the event at least once, under one ID. A
// run without a callback, in a workspace without endpoints, writes and sends nothing more.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { EndpointApi, EventType, OutgoingEvent } from '../../src/callbacks/api.ts'
import { objects } from '../../src/env/env.ts'
import { env } from 'cloudflare:workers'
import { newId } from '../../src/lib/ids.ts'
import { fail, ok } from '../../src/lib/result.ts'
import { CALLBACK_ANSWER_MAX_BYTES } from '../../src/thread/report/limits.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { unwatch, watchPoints, type CrashMode } from './plan.ts'
import { ANN, speaks, TestThread, value } from './rig.ts'
import { ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { World } from './world.ts'

/** An Endpoint object that records what it is given. */
class Inbox {
  readonly got: OutgoingEvent[] = []
  answer: EndpointApi['add'] = async () => ok(null)

  // The cast is safe: a thread only calls add().
  readonly port = () =>
    ({
      add: async (workspace: string, event: OutgoingEvent) => {
        this.got.push(event)
        return this.answer(workspace, event)
      },
    }) as unknown as EndpointApi

  get ids(): readonly string[] {
    return [...new Set(this.got.map(({ id }) => id))]
  }
}

const DONE: readonly Turn[] = [{ content: [text('All is done.')] }]
const callback = (
  events: readonly EventType[] = ['run.completed', 'run.failed', 'run.cancelled'],
  answer = false,
) => ({
  callback: { url: 'https://r.example.com/x', events, answer },
})

async function reported(inbox: Inbox, thread: TestThread, count = 1): Promise<readonly OutgoingEvent[]> {
  return eventually(
    async () => {
      await thread.alarm()
      return inbox.got
    },
    (got) => got.length >= count,
  )
}

/** Waits until the thread has nothing left to pass on. */
async function emptied(thread: TestThread): Promise<void> {
  await eventually(
    async () => {
      await thread.alarm()
      return thread.sql((sql) => sql.exec('SELECT 1 FROM outbox').toArray().length)
    },
    (left) => left === 0,
  )
}

describe('a run with a callback', () => {
  beforeAll(async () => {
    const endpoint = { id: 'ep_0', url: 'https://r.example.com/', events: [], answer: false, created_at: '' }
    value(await objects(env).workspace(ANN.workspace).putEndpoint(endpoint))
  })
  afterAll(unwatch)

  async function killed(
    when: (index: number, point: string) => CrashMode | null,
  ): Promise<readonly string[]> {
    const inbox = new Inbox()
    const thread = new TestThread({ ...speaks(new ScriptedModel(DONE)), endpoint: inbox.port })
    const crash = watchPoints(thread.name, when)
    const key = { idempotency: { key: 'one', digest: 'd' } }
    const started = await eventually(
      () => thread.start('Do it.', { ...key, ...callback() }).catch(() => null),
      (answer) => answer !== null,
    )
    const runId = started?.run_id ?? ''
    await reported(inbox, thread)
    expect(inbox.ids).toEqual([`evt_${runId.slice(4)}_completed`])
    await emptied(thread)
    return crash.points
  }

  it('sends its event at least once under one ID, killed at each point', async () => {
    const points = await killed(() => null)
    expect(points).toContain('run.ended')
    expect(points).toContain('event.passed')
    for (const mode of ['lose', 'keep'] as const)
      for (const at of points.keys()) await killed((index) => (index === at ? mode : null))
  })

  it('reports its end with receipt, links, and the answer if requested, truncated at the limit', async () => {
    const inbox = new Inbox()
    const long = 'ä'.repeat(CALLBACK_ANSWER_MAX_BYTES)
    const thread = new TestThread({
      ...speaks(new ScriptedModel([{ content: [text(long)] }])),
      endpoint: inbox.port,
    })
    const { run_id, thread_id } = await thread.start('Do it.', callback(['run.completed'], true))
    const [event] = await reported(inbox, thread)
    const { type, timestamp, data } = JSON.parse(event?.body ?? '') as {
      type: string
      timestamp: string
      data: Record<string, unknown>
    }
    const receipt = await thread.receipt(run_id)
    expect([type, timestamp]).toEqual(['run.completed', receipt.ended_at])
    expect(data).toEqual({
      thread_id,
      run_id,
      status: 'completed',
      metadata: {},
      links: {
        thread: `/v1/threads/${thread_id}`,
        run: `/v1/threads/${thread_id}/runs/${run_id}`,
        messages: `/v1/threads/${thread_id}/messages`,
      },
      receipt,
      answer: { text: 'ä'.repeat(CALLBACK_ANSWER_MAX_BYTES / 2), cut: true },
    })
  })

  it('reports that it waits for an approval, and loses no event when its thread is deleted', async () => {
    const inbox = new Inbox()
    const world = new World()
    const thread = new TestThread({
      ...speaks(new ScriptedModel([{ content: [use('t1', 'pay')] }, ...DONE])),
      tools: () => [world.paying()],
      endpoint: inbox.port,
    })
    const { run_id } = await thread.start('Do it.', callback(['run.waiting', 'run.cancelled']))
    const [waiting] = await reported(inbox, thread)
    expect(JSON.parse(waiting?.body ?? '')).toMatchObject({
      type: 'run.waiting',
      data: { run_id, status: 'waiting', waiting: { reason: 'approval', tool_use_ids: ['t1'] } },
    })
    // The endpoint cannot be reached until the thread has been deleted.
    inbox.answer = async () => fail('overloaded', 'Try again.')
    await thread.api.cancel(thread.caller, run_id)
    value(await thread.api.remove(thread.caller))
    inbox.answer = async () => ok(null)
    const before = inbox.got.length
    await reported(inbox, thread, before + 1)
    expect(inbox.ids.at(-1)).toBe(`evt_${run_id.slice(4)}_cancelled`)
  })

  it('ends as usual and keeps nothing when its endpoint was deleted', async () => {
    const inbox = new Inbox()
    inbox.answer = async () => fail('not_found', 'There is no such endpoint.')
    const thread = new TestThread({ ...speaks(new ScriptedModel(DONE)), endpoint: inbox.port })
    const { run_id } = await thread.start('Do it.', callback())
    await reported(inbox, thread)
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    await emptied(thread)
  })
})

describe('the endpoints of a workspace', () => {
  it('get the events that they listen to, once each, and no others', async () => {
    const workspace = newId('th').slice(3)
    const caller = { ...ANN, workspace }
    const inbox = new Inbox()
    const run = async (): Promise<string> => {
      const ports = { ...speaks(new ScriptedModel(DONE)), endpoint: inbox.port }
      const thread = new TestThread(ports, caller)
      const { run_id } = await thread.start('Do it.')
      await thread.ended(run_id)
      // Reports everything that is left.
      await thread.alarm()
      return `evt_${run_id.slice(4)}_completed`
    }
    await run()
    expect(inbox.got).toEqual([])
    const listener = (id: string, events: readonly EventType[]) =>
      objects(env)
        .workspace(workspace)
        .putEndpoint({ id, url: 'https://r.example.com/', events, answer: false, created_at: id })
    value(await listener('ep_1', ['run.completed', 'run.failed']))
    value(await listener('ep_2', ['run.failed']))
    value(await listener('ep_3', []))
    const id = await run()
    expect(inbox.got).toMatchObject([{ id, type: 'run.completed', url: null }])
    value(await objects(env).workspace(workspace).removeEndpoint('ep_1'))
    await run()
    expect(inbox.ids).toEqual([id])
  })
})
