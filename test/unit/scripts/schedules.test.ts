// Promise: `npm run schedules` says when a schedule runs and the outcome of its times, finds it by name, and deletes
// nothing without confirmation.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { OccurrenceInfo, ScheduleView } from '../../../src/schedules/api.ts'
import type { ScheduleFlags } from '../../../scripts/schedules/fields.ts'
import { runScheduleVerb, type SchedulePorts } from '../../../scripts/schedules/verbs.ts'
import { served as servedBy } from '../../fakes/served.ts'

const FLAGS: ScheduleFlags = { yes: false, json: false }
const ID = `sc_${'a'.repeat(24)}`
const VIEW: ScheduleView = {
  id: ID,
  workspace: 'default',
  name: 'Weekly report',
  cron: '0 8 * * 1',
  at: null,
  time_zone: 'Europe/Berlin',
  message: 'Write it.',
  missed: 'once',
  thread: 'each',
  user: null,
  skills: { allow: null, load: [] },
  tools: null,
  model: null,
  budget: { tokens: 1, usd: 1, steps: 1, tool_calls: 1, wall_s: 1, recoveries: 1 },
  allowed_calls: [],
  callback: null,
  created_at: '2026-11-28T20:00:00.000Z',
  state: 'active',
  next: ['2026-11-30T07:00:00.000Z', '2026-12-07T07:00:00.000Z'],
  starts_after_s: 17,
}
const OCCURRENCE: OccurrenceInfo = {
  order: 1,
  id: 'oc_1',
  planned_at: '2026-11-23T07:00:00.000Z',
  state: 'started',
  thread_id: 'th_1',
  run_id: 'run_1',
  recorded_at: '2026-11-23T07:00:17.000Z',
  tries: 1,
  problem: null,
}
const LIST = 'GET /admin/schedules?limit=100'

function served(answers: Parameters<typeof servedBy>[0]) {
  const { ports: shared, ...recorded } = servedBy(answers)
  const ports: SchedulePorts = { ...shared, timeZone: 'Europe/Berlin' }
  return { ...recorded, ports }
}

test('a schedule is created from flags, and shown with its next times in its zone', async () => {
  const { requested, output, ports } = served({ 'POST /admin/schedules': [201, VIEW] })
  const flags = { ...FLAGS, cron: '0 8 * * 1', message: 'Write it.', load: 'alpha, beta', usd: '0.5' }
  expect(await runScheduleVerb(['create', 'Weekly report'], flags, ports)).toBe(0)
  expect(requested[0]?.body).toEqual({
    name: 'Weekly report',
    cron: '0 8 * * 1',
    time_zone: 'Europe/Berlin',
    message: 'Write it.',
    skills: { load: ['alpha', 'beta'] },
    budget: { usd: 0.5 },
  })
  expect(output.join('\n')).toMatch(/next +Mon, 30 Nov 2026, 08:00 \S+\n +Mon, 7 Dec 2026, 08:00/)
  expect(output.at(-1)).toContain(`npm run schedules -- run ${ID}`)
})

test('other fields come from a file of JSON, and flags override them', async () => {
  const { requested, ports } = served({ 'POST /admin/schedules': [201, VIEW] })
  const file = join(await mkdtemp(join(tmpdir(), 'schedules-')), 'fields.json')
  await writeFile(file, '{"name": "other", "allowed_calls": [{"tool": "post"}], "budget": {"steps": 3}}')
  const flags = { ...FLAGS, at: '2026-12-01T08:00', message: 'Write it.', fields: file }
  expect(await runScheduleVerb(['create', 'x'], flags, ports)).toBe(0)
  expect(requested[0]?.body).toMatchObject({
    name: 'x',
    allowed_calls: [{ tool: 'post' }],
    budget: { steps: 3 },
  })
  await writeFile(file, '[')
  expect(await runScheduleVerb(['create', 'x'], flags, ports)).toMatch(/is not JSON/)
})

test.each([
  [['create', 'x'], { message: 'm' }, /--cron '0 8/],
  [['create', 'x'], { message: 'm', cron: 'c', at: 'a' }, /either --cron/],
  [['create', 'x'], { cron: 'c' }, /--message TEXT or --file/],
  [['create', 'x'], { cron: 'c', message: 'm', usd: 'much' }, /not a number/],
  [['create', 'x'], { cron: 'c', file: '/nowhere' }, /no file/],
  [['create', 'a', 'b'], {}, /quotes/],
  [['next'], {}, /exactly one name/],
  [['frobnicate', 'x'], {}, /no verb/],
  [[], {}, /Specify a verb/],
])('%j with %j sends nothing and says what is missing', async (words, flags, message) => {
  const { requested, ports } = served({})
  expect(await runScheduleVerb(words, { ...FLAGS, ...flags }, ports)).toMatch(message)
  expect(requested).toEqual([])
})

test('the list shows the times, the next one, and what is paused, without control characters', async () => {
  const data = [VIEW, { ...VIEW, name: 'sneaky\u001b[2J', state: 'paused', next: [] }]
  const { output, ports } = served({ [LIST]: [200, { data, next_cursor: null }] })
  expect(await runScheduleVerb(['list'], FLAGS, ports)).toBe(0)
  expect(output[1]).toMatch(
    /^Weekly report +0 8 \* \* 1 \(Europe\/Berlin\) +Mon, 30 Nov 2026, 08:00 \S+ +sc_a/,
  )
  expect(output[2]).toContain('paused')
  expect(output.join('')).not.toContain('\u001b[2J')
})

test('a schedule is found by its name or ID; a name that several have is not guessed', async () => {
  const twin = { ...VIEW, id: `sc_${'b'.repeat(24)}` }
  const pages = {
    [LIST]: [200, { data: [VIEW], next_cursor: 'n' }],
    [`${LIST}&cursor=n`]: [
      200,
      { data: [twin, { ...VIEW, id: 'sc_other', name: 'Other' }], next_cursor: null },
    ],
    [`GET /admin/schedules/${ID}/occurrences?limit=10`]: [
      200,
      { data: [OCCURRENCE, { ...OCCURRENCE, state: 'dead', problem: 'No skill.' }], next_cursor: null },
    ],
  } as const
  const { output, complaints, ports } = served(pages)
  expect(await runScheduleVerb(['show', 'Weekly report'], FLAGS, ports)).toBe(1)
  expect(complaints.join('')).toContain(twin.id)
  expect(await runScheduleVerb(['show', 'Nothing'], FLAGS, ports)).toBe(1)
  expect(await runScheduleVerb(['show', ID], FLAGS, ports)).toBe(0)
  expect(output.at(-2)).toMatch(
    /Mon, 23 Nov 2026, 08:00 \S+ +planned +started +http:\/\/satchel\.test\/#t=th_1$/,
  )
  expect(output.at(-1)).toContain('No skill.')
  expect(await runScheduleVerb(['next', 'Other'], FLAGS, ports)).toBe(0)
  expect(output.at(-1)).toMatch(/^Mon, 7 Dec 2026, 08:00/)
})

test('change sends only what the flags say, and a new rule replaces the other kind', async () => {
  const line = `PATCH /admin/schedules/${ID}`
  const { requested, output, ports } = served({
    [LIST]: [200, { data: [VIEW], next_cursor: null }],
    [line]: [200, VIEW],
  })
  const change = (flags: Partial<ScheduleFlags>) =>
    runScheduleVerb(['change', 'Weekly report'], { ...FLAGS, ...flags }, ports)
  expect(await change({ message: 'Be brief.', 'time-zone': 'UTC', thread: 'one' })).toBe(0)
  expect(await change({ at: '2026-12-01T08:00', name: 'Once' })).toBe(0)
  expect(requested.filter((request) => request.line === line).map(({ body }) => body)).toEqual([
    { message: 'Be brief.', time_zone: 'UTC', thread: 'one' },
    { cron: null, at: '2026-12-01T08:00', name: 'Once' },
  ])
  expect(output.join('\n')).toContain('next')
  expect(await change({})).toMatch(/at least one option/)
  expect(await change({ cron: 'c', at: 'a' })).toMatch(/not both/)
})

test('pause, resume and run say what follows', async () => {
  const { output, ports } = served({
    [LIST]: [200, { data: [VIEW], next_cursor: null }],
    [`POST /admin/schedules/${ID}/pause`]: [200, { ...VIEW, state: 'paused', next: [] }],
    [`POST /admin/schedules/${ID}/resume`]: [200, VIEW],
    [`POST /admin/schedules/${ID}/run`]: [202, { occurrence_id: 'oc_1', thread_id: 'th_9', run_id: 'run_9' }],
  })
  for (const verb of ['pause', 'resume', 'run'])
    expect(await runScheduleVerb([verb, ID], FLAGS, ports)).toBe(0)
  expect(output).toEqual([
    'Weekly report is paused.',
    expect.stringMatching(/^Weekly report is active\. Its next time is Mon, 30 Nov/),
    'The run starts: http://satchel.test/#t=th_9',
  ])
})

test('a schedule is deleted only after confirmation', async () => {
  const line = `DELETE /admin/schedules/${ID}`
  const { requested, output, ports } = served({
    [LIST]: [200, { data: [VIEW], next_cursor: null }],
    [line]: [200, {}],
  })
  expect(await runScheduleVerb(['delete', ID], FLAGS, ports)).toBe(2)
  expect(await runScheduleVerb(['delete', ID], FLAGS, { ...ports, ask: async () => 'n' })).toBe(1)
  expect(requested.map((request) => request.line)).not.toContain(line)
  expect(await runScheduleVerb(['delete', ID], FLAGS, { ...ports, ask: async () => 'y' })).toBe(0)
  expect(output.at(-1)).toBe('Weekly report was deleted.')
})
