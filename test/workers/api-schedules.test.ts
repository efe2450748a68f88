// Guards schedules over HTTP: what an admin decides is what runs get, a request to run is answered once, and a workspace
// has a limited number.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OccurrenceInfo, RequestedRun, ScheduleView } from '../../src/schedules/api.ts'
import { SCHEDULES_MAX } from '../../src/schedules/limits.ts'
import {
  foreignKey,
  got,
  makeKey,
  modelReplies,
  refused,
  requested,
  send,
  serveSkills,
} from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

beforeAll(() => serveSkills([{ name: 'alpha', body: 'The procedure of alpha.' }]))
beforeEach(() => modelReplies())

const WEEKLY = {
  name: 'Weekly report',
  cron: '0 8 * * 1',
  time_zone: 'Europe/Berlin',
  message: '/alpha Write the report of {{date}}.',
}

async function make(more: object = {}, key?: string): Promise<ScheduleView> {
  const body = { ...WEEKLY, ...more }
  return got<ScheduleView>(send('POST /admin/schedules', { body, ...(key ? { key } : {}) }), 201)
}

async function history(id: string): Promise<readonly OccurrenceInfo[]> {
  return (await got<{ data: OccurrenceInfo[] }>(send(`GET /admin/schedules/${id}/occurrences`))).data
}

describe('a schedule', () => {
  it('shows its configuration and its next five times', async () => {
    const schedule = await make({ user: 'ann', budget: { usd: 0.5 } })
    expect(schedule).toMatchObject({
      id: expect.stringMatching(/^sc_[0-9a-z]{24}$/),
      workspace: 'default',
      ...WEEKLY,
      at: null,
      missed: 'once',
      thread: 'each',
      user: 'ann',
      model: null,
      budget: { usd: 0.5, steps: 25 },
      state: 'active',
      starts_after_s: expect.any(Number),
    })
    expect(schedule.next).toHaveLength(5)
    for (const time of schedule.next) expect(new Date(time).getUTCDay()).toBe(1)
    expect(await got(send(`GET /admin/schedules/${schedule.id}`))).toEqual(schedule)
  })

  it('may have a single time, local to its zone', async () => {
    const schedule = await make({ cron: null, at: '2040-07-02T08:00' })
    expect(schedule).toMatchObject({ at: '2040-07-02T06:00:00.000Z', next: ['2040-07-02T06:00:00.000Z'] })
    const body = { time_zone: 'America/New_York', name: 'Once' }
    expect(await got(send(`PATCH /admin/schedules/${schedule.id}`, { body }))).toMatchObject({
      ...body,
      at: schedule.at,
    })
  })

  it('can be changed field by field, and an invalid change changes nothing', async () => {
    const schedule = await make({ user: 'ann' })
    const line = `PATCH /admin/schedules/${schedule.id}`
    const changed = await got<ScheduleView>(send(line, { body: { cron: '30 7 * * 1-5', missed: 'skip' } }))
    expect(changed).toEqual({ ...schedule, cron: '30 7 * * 1-5', missed: 'skip', next: changed.next })
    expect(changed.next).not.toEqual(schedule.next)
    for (const body of [{}, { id: 'sc_1' }, { cron: 'never' }, { model: 'unknown' }, { state: 'paused' }])
      expect((await send(line, { body })).status).toBe(422)
    expect(await got(send(`GET /admin/schedules/${schedule.id}`))).toEqual(changed)
  })

  it('can be paused and resumed repeatedly', async () => {
    const { id } = await make()
    for (const [verb, state] of [
      ['pause', 'paused'],
      ['pause', 'paused'],
      ['resume', 'active'],
      ['resume', 'active'],
    ])
      expect(await got(send(`POST /admin/schedules/${id}/${verb}`))).toMatchObject({ state })
  })

  it('is listed in pages until it is deleted', async () => {
    const key = await foreignKey('schedules-listed')
    const made = [await make({}, key), await make({}, key), await make({}, key)]
    type Listed = { data: ScheduleView[]; next_cursor: string | null }
    const first = await got<Listed>(send('GET /admin/schedules?limit=2', { key }))
    const rest = await got<Listed>(send(`GET /admin/schedules?limit=2&cursor=${first.next_cursor}`, { key }))
    expect([...first.data, ...rest.data].map(({ id }) => id).toSorted()).toEqual(
      made.map(({ id }) => id).toSorted(),
    )
    const line = `DELETE /admin/schedules/${made[0]?.id}`
    expect((await send(line, { key })).status).toBe(204)
    await refused(send(line, { key }), 404, 'not_found')
    expect((await got<Listed>(send('GET /admin/schedules', { key }))).data).toHaveLength(2)
  })

  it(`is refused if there are ${SCHEDULES_MAX}, until one is deleted`, async () => {
    const key = await foreignKey('schedules-many')
    const { id } = await make({}, key)
    await runInDurableObject(env.WORKSPACES.getByName('schedules-many'), (_, { storage }) => {
      for (let index = 1; index < SCHEDULES_MAX; index++)
        storage.sql.exec('INSERT INTO schedules VALUES (?, ?)', `sc_${index}`, new Date().toISOString())
    })
    const problem = await refused(send('POST /admin/schedules', { key, body: WEEKLY }), 413, 'storage_full')
    expect(problem.detail).toContain(String(SCHEDULES_MAX))
    expect((await send(`DELETE /admin/schedules/${id}`, { key })).status).toBe(204)
    await make({}, key)
  })
})

describe('a requested run', () => {
  it('belongs to the user, loads the skill of the message, and is started once per Idempotency-Key', async () => {
    const ann = await makeKey('chat', 'ann')
    const { id } = await make({ user: 'ann', thread: 'one' })
    const ask = (): Promise<RequestedRun> =>
      got<RequestedRun>(
        send(`POST /admin/schedules/${id}/run`, { headers: { 'Idempotency-Key': 'now' } }),
        202,
      )
    const run = await ask()
    expect(await ask()).toEqual(run)
    const path = `/v1/threads/${run.thread_id}/runs/${run.run_id}`
    await eventually(
      async () =>
        (await (await send(`GET ${path}`, { key: ann.key })).json<{ status: unknown }>()).status ===
        'completed',
    )
    const text = JSON.stringify(requested.at(-1))
    expect(text).toContain('The procedure of alpha.')
    expect(text).toContain(`Write the report of ${new Date().getUTCFullYear()}`)
    await eventually(async () => (await history(id))[0]?.state === 'started')
    expect(await history(id)).toMatchObject([
      {
        id: run.occurrence_id,
        planned_at: null,
        thread_id: run.thread_id,
        run_id: run.run_id,
        problem: null,
      },
    ])
    const thread = await got<{ metadata: object }>(send(`GET /v1/threads/${run.thread_id}`, { key: ann.key }))
    expect(thread.metadata).toEqual({ schedule_id: id, occurrence_id: run.occurrence_id })
  })
})
