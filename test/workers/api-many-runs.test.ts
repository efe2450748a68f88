// Guards the limit on concurrent runs in the API: 429 with an explanation and a retry time, only for new work.
// Accepted runs are answered, read and stopped as usual, and other keys are not affected.

import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { objects } from '../../src/env/env.ts'
import { newId } from '../../src/lib/ids.ts'
import { QUEUED_PER_KEY, RUNS_PER_KEY } from '../../src/env/limits.ts'
import type { OpenRun } from '../../src/workspace/api.ts'
import { chat, foreignKey, got, modelReplies, refused, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

let workspaces = 0
let workspace = ''
let key = ''

beforeEach(async () => {
  await serveSkills([{ name: 'alpha' }])
  workspace = `busy-${++workspaces}`
  key = await foreignKey(workspace, 'chat')
  modelReplies()
})

function idOf(of: string): string {
  return of.split('_')[2] ?? ''
}

/** Uses up this key's limit of running or queued runs. */
async function fill(queued: boolean, count: number): Promise<readonly OpenRun[]> {
  const until = Date.now() + 600_000
  const runs = Array.from({ length: count }, () => ({
    thread: newId('th'),
    run: newId('run'),
    key: idOf(key),
    queued,
    until,
  }))
  for (const run of runs) await objects(env).workspace(workspace).admit(run, false)
  return runs
}

async function openThreads(): Promise<readonly string[]> {
  const threads = await objects(env).workspace(workspace).openThreads()
  return threads.ok ? threads.value : []
}

describe('a key at its limit of runs', () => {
  it('is refused another one with the reason and a retry time, and creates nothing; other keys are not affected', async () => {
    const [first] = await fill(false, RUNS_PER_KEY)
    const response = await send('POST /v1/chat', { key, body: { message: 'One more.' } })
    expect(response.headers.get('Retry-After')).toBe('5')
    const problem = await refused(Promise.resolve(response), 429, 'too_many_runs')
    expect(problem.detail).toContain(`${RUNS_PER_KEY} runs in progress`)
    expect((await got<{ data: unknown[] }>(send('GET /v1/threads', { key }))).data).toEqual([])
    const other = await foreignKey(workspace, 'chat')
    expect((await chat({ message: 'Hello' }, { key: other })).last?.type).toBe('run.completed')
    await objects(env)
      .workspace(workspace)
      .leave(first?.thread ?? '', first?.run ?? '')
    expect((await chat({ message: 'Hello' }, { key })).last?.type).toBe('run.completed')
  })

  it('gets the answer of an earlier request, reads and cancels', async () => {
    const gate = Promise.withResolvers<void>()
    modelReplies(() => ({ text: 'Done.', until: gate.promise }))
    const first = {
      key,
      body: { message: 'Hello' },
      headers: { 'Idempotency-Key': 'once', Prefer: 'respond-async' },
    }
    const { thread_id, run_id } = await got<{ thread_id: string; run_id: string }>(
      send('POST /v1/chat', first),
      202,
    )
    await fill(false, RUNS_PER_KEY)
    await refused(send('POST /v1/chat', { key, body: { message: 'More.' } }), 429, 'too_many_runs')
    expect(await got(send('POST /v1/chat', first), 202)).toMatchObject({ thread_id, run_id })
    await got(send(`GET /v1/threads/${thread_id}/messages`, { key }))
    const receipt = await got(send(`POST /v1/threads/${thread_id}/runs/${run_id}/cancel`, { key }))
    expect(receipt).toMatchObject({ status: 'cancelled' })
    gate.resolve()
  })

  it('may still queue: queued runs are counted separately, and have a limit too', async () => {
    const gate = Promise.withResolvers<void>()
    modelReplies(() => ({ text: 'Done.', until: gate.promise }))
    const ask = (more: object) =>
      send('POST /v1/chat', {
        key,
        body: { message: 'Hello', ...more },
        headers: { Prefer: 'respond-async' },
      })
    const { thread_id } = await got<{ thread_id: string }>(ask({}), 202)
    await fill(false, RUNS_PER_KEY)
    const line = { thread_id, on_busy: 'enqueue' }
    const waits = await got<{ run_id: string }>(ask(line), 202)
    await fill(true, QUEUED_PER_KEY)
    const problem = await refused(ask(line), 429, 'too_many_runs')
    expect(problem.detail).toContain(`${QUEUED_PER_KEY.toString()} queued messages`)
    // An accepted run runs when its turn comes, whatever else its key has under way.
    gate.resolve()
    await eventually(async () => {
      const run = await got(send(`GET /v1/threads/${thread_id}/runs/${waits.run_id}`, { key }))
      return run['status'] === 'completed'
    })
  })
})

describe('a slot', () => {
  it('is free again when the run ends, however it does', async () => {
    const done = await chat({ message: 'Hello' }, { key })
    await eventually(async () => (await openThreads()).length === 0)
    const gate = Promise.withResolvers<void>()
    modelReplies(() => ({ text: 'Done.', until: gate.promise }))
    const ask = {
      key,
      body: { message: 'Hello', thread_id: done.thread },
      headers: { Prefer: 'respond-async' },
    }
    const { run_id } = await got<{ run_id: string }>(send('POST /v1/chat', ask), 202)
    expect(await openThreads()).toEqual([done.thread])
    await got(send(`POST /v1/threads/${done.thread}/runs/${run_id}/cancel`, { key }))
    await eventually(async () => (await openThreads()).length === 0)
    await got(send('POST /v1/chat', ask), 202)
    expect((await send(`DELETE /v1/threads/${done.thread}`, { key })).status).toBe(204)
    await eventually(async () => (await openThreads()).length === 0)
    gate.resolve()
  })

  it('is returned when the message is refused later', async () => {
    const body = { message: 'Hello', skills: { load: ['no-such-skill'] } }
    const response = await send('POST /v1/chat', { key, body })
    expect(response.status).toBeGreaterThanOrEqual(400)
    await eventually(async () => (await openThreads()).length === 0)
  })
})
