// Guards "effects happen once" for calls whose server answers 202 and works on: the run waits with nothing held open,
// the result settles the call, and one that ends without a result has an unknown outcome. It is never made again.
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { UNKNOWN_OUTCOME } from '../../src/agent/repair.ts'
import { SERVER_WAIT_MAX_MS } from '../../src/thread/waits/limits.ts'
import { answer, DONE, resultsOf, YES } from './approving.ts'
import {
  dueAt,
  GONE,
  nextAlarm,
  READY,
  reports,
  UNREACHABLE,
  waits,
  WORKING,
  type Job,
} from './job-server.ts'
import { unwatch, watchPoints } from './plan.ts'
import { ANN, BUDGET, failure, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { use } from './scripted-model.ts'

afterEach(unwatch)

async function begin(job: Job, more: Parameters<TestThread['start']>[1] = {}): Promise<string> {
  const { run_id } = await job.thread.start('Report.', more)
  await waits(job, run_id)
  return run_id
}

describe('a call whose server answers 202', () => {
  it('waits as rows and one alarm, is polled with growing pauses, and ends with the result', async () => {
    const job = reports()
    const { thread, server, clock, model } = job
    server.answers = [WORKING, { status: 202, headers: { 'retry-after': '60' } }, UNREACHABLE, READY]
    const began = clock.ms
    const runId = await begin(job, { budget: { ...BUDGET, wall_s: 60 } })
    const times: number[] = []
    server.onQuestion = async () => times.push((clock.ms - began) / 1000)
    while (server.questions.length < 4) {
      await evictDurableObject(env.THREADS.getByName(thread.name))
      await nextAlarm(job)
    }
    const receipt = await thread.ended(runId)
    expect(receipt).toMatchObject({ status: 'completed', recoveries: 0, rating: null })
    expect(receipt.budget['wall_s']?.used).toBeLessThan(60)
    expect(times).toEqual([2, 4, 64, 96])
    expect(server.begun).toHaveLength(1)
    expect(server.questions[0]).toMatchObject({ method: 'GET', url: 'https://jobs.example.com/jobs/1' })
    expect(await resultsOf(thread)).toEqual([['t1', 'HTTP 200\n\nready']])
    const events = await thread.checkEnded(runId, model.requests.length)
    const reported = events.filter(({ type }) => /^tool\.|^run\.(waiting|resumed)/.test(type))
    expect(reported.map(({ type }) => type)).toEqual([
      'tool.started',
      'run.waiting',
      'tool.completed',
      'run.resumed',
    ])
    expect(reported[2]).toMatchObject({ is_error: false, duration_ms: 96_000 })
    expect(await thread.sql((sql) => sql.exec('SELECT 1 FROM waits').toArray())).toEqual([])
    expect(model.problems).toEqual([])
  })

  it('shows readers and senders which tool is still working, and since when', async () => {
    const job = reports()
    const { thread } = job
    const runId = await begin(job)
    const words = 'Waiting for the result of report (since 2030-01-01T00:00:00.000Z).'
    expect(value(await thread.api.reply(ANN, runId, 0))).toEqual({
      status: 'waiting',
      reason: 'server',
      tool_use_ids: ['t1'],
      since: '2030-01-01T00:00:00.000Z',
      until: '2030-01-02T00:00:00.000Z',
      detail: words,
    })
    const refused = await thread.refused('And?')
    expect(refused).toMatchObject({ code: 'thread_busy', retryAfterS: 30 })
    expect(refused.detail).toContain(words)
  })

  it('puts a steering message after its result', async () => {
    const job = reports()
    const { thread } = job
    const runId = await begin(job)
    expect(await thread.start('Shorter, please.', { onBusy: 'steer' })).toMatchObject({ run_id: runId })
    await nextAlarm(job)
    await thread.ended(runId)
    const roles = (await thread.messages()).map(({ role, content }) => `${role} ${content[0]?.type}`)
    expect(roles).toEqual([
      'user text',
      'assistant tool_use',
      'user tool_result',
      'user text',
      'assistant text',
    ])
  })

  it.each([
    ['a refusal', GONE, 'HTTP 404: the server found nothing there'],
    ['a redirect to nowhere', { status: 302 }, 'HTTP 302'],
  ])('ends with an error after %s', async (_, given, words) => {
    const job = reports()
    job.server.answers = [given]
    const runId = await begin(job)
    await nextAlarm(job)
    await job.thread.ended(runId)
    const [[, result] = []] = await resultsOf(job.thread)
    expect(result).toContain(words)
    expect(result).toContain(UNKNOWN_OUTCOME)
  })

  it('has an unknown outcome after a day, by its alarms alone', async () => {
    const job = reports()
    const { thread, server, clock } = job
    server.answers = [WORKING]
    const end = clock.ms + SERVER_WAIT_MAX_MS
    const runId = await begin(job)
    // Each alarm is late, as on a platform that was away.
    while (clock.ms < end) {
      clock.ms = Math.min(clock.ms + SERVER_WAIT_MAX_MS / 4, end)
      await thread.alarm()
    }
    expect(await thread.ended(runId)).toMatchObject({ status: 'completed' })
    const words = `The server of report accepted the call but had no result after 24 hours. ${UNKNOWN_OUTCOME}`
    expect(await resultsOf(thread)).toEqual([['t1', words]])
    expect([server.begun.length, server.questions.length]).toEqual([1, 3])
  })

  it('has an unknown outcome if its tool is removed before the result', async () => {
    const job = reports()
    const { thread, server, world } = job
    const runId = await begin(job)
    await thread.kill()
    thread.adjust({ tools: () => world.tools })
    await nextAlarm(job)
    await thread.ended(runId)
    const words = `The tool report is no longer available, so its result cannot be fetched. ${UNKNOWN_OUTCOME}`
    expect(await resultsOf(thread)).toEqual([['t1', words]])
    expect(server.questions).toEqual([])
  })
})

describe('a run that waits for a server', () => {
  it.each([
    ['once', UNKNOWN_OUTCOME],
    ['idempotent', UNKNOWN_OUTCOME],
    ['read', expect.stringContaining('This call was started')],
  ] as const)(
    'ends at once when it is cancelled, and says that its call (%s) was started',
    async (effect, words) => {
      const job = reports(effect)
      const { thread, server } = job
      const runId = await begin(job)
      // The answer arrives after the run has ended.
      server.onQuestion = async () => value(await thread.api.cancel(ANN, runId))
      await nextAlarm(job)
      expect(await thread.receipt(runId)).toMatchObject({ status: 'cancelled' })
      expect(await resultsOf(thread)).toEqual([['t1', words]])
      await thread.checkEnded(runId, 0)
      expect([server.begun.length, server.questions.length]).toEqual([1, 1])
      expect(await thread.sql((sql) => sql.exec('SELECT 1 FROM waits').toArray())).toEqual([])
    },
  )

  it('ends for a message that interrupts', async () => {
    const job = reports('once', (request) =>
      request.messages.length === 1 ? { content: [use('t1', 'report')] } : DONE,
    )
    const { thread, server } = job
    const runId = await begin(job)
    const next = await thread.start('No, stop.', { onBusy: 'interrupt' })
    expect(await thread.ended(runId)).toMatchObject({ status: 'cancelled', stop_reason: 'interrupted' })
    expect(await thread.ended(next.run_id)).toMatchObject({ status: 'completed' })
    expect(await resultsOf(thread)).toEqual([['t1', UNKNOWN_OUTCOME]])
    expect(server.begun).toHaveLength(1)
  })

  it('leaves no row when its thread is deleted, even during a poll', async () => {
    const job = reports()
    const { thread, server } = job
    await begin(job)
    server.onQuestion = async () => value(await thread.api.remove(ANN))
    await nextAlarm(job)
    await eventually(
      () => thread.sql((sql) => sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'waits'").toArray()),
      (tables) => tables.length === 0,
    )
    expect(failure(await thread.api.info(ANN)).code).toBe('not_found')
    expect(server.questions).toHaveLength(1)
  })

  it('still gets the result when a queued run is cancelled during a poll', async () => {
    const job = reports()
    const { thread, server } = job
    const runId = await begin(job)
    const next = await thread.start('And then?', { onBusy: 'enqueue' })
    const aborted: boolean[] = []
    server.onQuestion = async (signal) => {
      value(await thread.api.cancel(ANN, next.run_id))
      aborted.push(signal.aborted)
    }
    await nextAlarm(job)
    expect(await thread.ended(runId)).toMatchObject({ status: 'completed' })
    expect(await thread.receipt(next.run_id)).toMatchObject({ status: 'cancelled' })
    expect(aborted).toEqual([false])
  })

  it('polls once at a time, however often it is found due', async () => {
    const job = reports()
    const { thread, server, clock } = job
    const runId = await begin(job)
    clock.ms = await dueAt(thread)
    server.onQuestion = async () => {
      // Other requests find the run due while the question is in progress.
      value(await thread.api.info(ANN))
      value(await thread.api.info(ANN))
    }
    await thread.alarm()
    await thread.ended(runId)
    expect(server.questions).toHaveLength(1)
  })
})

describe('calls of one message', () => {
  it('that read are settled one by one, and the run continues after the last', async () => {
    const job = reports('read', [
      { content: [use('a', 'report'), use('b', 'report'), use('c', 'look')] },
      DONE,
    ])
    const { thread, server, world } = job
    server.answers = [READY, WORKING, READY]
    const runId = await begin(job)
    expect(world.ran).toEqual(['look'])
    await nextAlarm(job)
    expect(await thread.status(runId)).toBe('waiting')
    expect(value(await thread.api.reply(ANN, runId, 0))).toMatchObject({ tool_use_ids: ['b'] })
    await nextAlarm(job)
    expect(await thread.ended(runId)).toMatchObject({ status: 'completed' })
    expect((await resultsOf(thread)).map(([id]) => id)).toEqual(['a', 'b', 'c'])
    expect(server.begun).toHaveLength(2)
  })

  it('wait for a person and for a server side by side, and the person is named first', async () => {
    const job = reports('read', [{ content: [use('a', 'pay'), use('b', 'report')] }, DONE])
    const { thread, server, world } = job
    server.answers = [WORKING, READY]
    const runId = await begin(job)
    expect(value(await thread.api.reply(ANN, runId, 0))).toMatchObject({
      reason: 'approval',
      tool_use_ids: ['a'],
    })
    await nextAlarm(job)
    expect(await thread.status(runId)).toBe('waiting')
    value(await answer(thread, ANN, runId, 'a', YES))
    await eventually(() => world.ran.includes('pay'))
    await waits(job, runId)
    expect(value(await thread.api.reply(ANN, runId, 0))).toMatchObject({
      reason: 'server',
      tool_use_ids: ['b'],
    })
    await nextAlarm(job)
    expect(await thread.ended(runId)).toMatchObject({ status: 'completed' })
    expect(await resultsOf(thread)).toEqual([
      ['a', 'paid'],
      ['b', 'HTTP 200\n\nready'],
    ])
  })
})

describe('a read call that was approved and then answered 202', () => {
  it('has its start on disk', async () => {
    const job = reports('read')
    const { thread, server, clock } = job
    thread.adjust({ tools: () => [server.tool('read', clock.now, { approval: { ask: 'always' } })] })
    const { run_id } = await thread.start('Report.')
    await eventually(
      () => thread.status(run_id),
      (status) => status === 'waiting',
    )
    value(await answer(thread, ANN, run_id, 't1', YES))
    await eventually(() => server.begun.length === 1)
    await waits(job, run_id)
    await evictDurableObject(env.THREADS.getByName(thread.name))
    await nextAlarm(job)
    await thread.ended(run_id)
    const events = await thread.checkEnded(run_id, 1)
    expect(events.filter(({ type }) => type === 'tool.completed')).toMatchObject([{ duration_ms: 2000 }])
    expect(server.begun).toHaveLength(1)
  })
})

describe('a call that was started and then needs an approval', () => {
  it('is not planned again: when cancelled, its outcome is unknown', async () => {
    const job = reports('idempotent')
    const { thread, server, clock } = job
    watchPoints(thread.name, (_, point, { fired }) => (point === 'tool.ran' && fired === 0 ? 'keep' : null))
    const { run_id } = await thread.start('Report.')
    await eventually(() => server.begun.length === 1)
    thread.adjust({ tools: () => [server.tool('idempotent', clock.now, { approval: { ask: 'always' } })] })
    await eventually(
      async () => {
        await thread.alarm()
        return thread.status(run_id)
      },
      (status) => status === 'waiting',
    )
    value(await thread.api.cancel(ANN, run_id))
    expect(await resultsOf(thread)).toEqual([['t1', UNKNOWN_OUTCOME]])
    expect(server.begun).toHaveLength(1)
  })
})

describe('a fork', () => {
  it('of a waiting thread does not wait', async () => {
    const job = reports('once', (request) =>
      request.messages.length === 3 ? { content: [use('t1', 'report')] } : DONE,
    )
    const { thread, server } = job
    await thread.ended((await thread.start('Hello.')).run_id)
    await begin(job)
    const last = (await thread.messages()).findLast(
      ({ role, content }) => role === 'user' && content[0]?.type === 'text',
    )
    const child = new TestThread(job.ports)
    const input = { threadId: child.id, from: thread.id, messageId: last?.id ?? '', key: 'one' }
    value(await child.api.fork(child.caller, input))
    expect(
      await child.sql((sql) => sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'waits'").toArray()),
    ).toEqual([])
    expect(value(await child.api.info(child.caller)).status).toBe('idle')
    expect(await resultsOf(child)).toEqual([])
    expect(server.begun).toHaveLength(1)
  })
})
