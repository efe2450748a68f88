// Guards what operators see: the metrics count runs, errors and deliveries of this workspace only, and neither they
// nor the log contain text of people or tools.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ROUTES } from '../../src/api/app.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { chat, foreignKey, got, makeKey, modelReplies, refused, send, serveSkills } from './api-fixture.ts'
import { completed, deliver, makeHook, signed, type Accepted } from './hook-requests.ts'
import { samplesOf } from './openmetrics.ts'

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const
const logged: string[] = []
const written = LEVELS.map((level) => console[level])

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  for (const level of LEVELS)
    console[level] = (...parts: unknown[]) => void logged.push(parts.map(String).join(' '))
})
afterAll(() => LEVELS.forEach((level, at) => (console[level] = written[at] ?? console.log)))
beforeEach(() => modelReplies())

async function metrics(key?: string): Promise<ReadonlyMap<string, number>> {
  const response = await send('GET /admin/metrics', key === undefined ? {} : { key })
  expect(response.headers.get('Content-Type')).toBe(
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  )
  return samplesOf(await response.text())
}

const ANSWERED = 'satchel_runs_total{status="completed",stop_reason="answered"}'

it('a key for metrics reads runs, tokens, time to the first text, and errors by code', async () => {
  const { key } = await makeKey('metrics')
  const before = await metrics(key)
  await chat({ message: 'Hello' })
  await refused(send('POST /v1/chat', { body: { message: 7 } }), 422, 'invalid_request')
  await refused(send('GET /v1/threads', { key: 'sk_wrong' }), 401, 'unauthenticated')
  const after = await eventually(
    () => metrics(key),
    (samples) => samples.get(ANSWERED) === (before.get(ANSWERED) ?? 0) + 1,
  )
  const grew = (series: string): number => (after.get(series) ?? 0) - (before.get(series) ?? 0)
  expect(grew('satchel_first_text_seconds_count')).toBe(1)
  expect(grew('satchel_run_steps_bucket{le="1.0"}')).toBe(1)
  expect(grew('satchel_errors_total{code="invalid_request"}')).toBe(1)
  expect(grew('satchel_errors_total{code="unauthenticated"}')).toBe(1)
  const tokens = [...after.keys()].filter((series) => /^satchel_tokens_total.*kind="input"/.test(series))
  expect(tokens.reduce((sum, series) => sum + grew(series), 0)).toBe(10)
  // Another workspace has its own.
  expect((await metrics(await foreignKey('elsewhere'))).get(ANSWERED)).toBe(0)
})

it('a key for metrics can do nothing else', async () => {
  const { key } = await makeKey('metrics')
  for (const { method, path, role } of ROUTES) {
    if (role === null || role === 'metrics') continue
    await refused(send(`${method} ${path.replace(/\/:path\{.*$/, '/x')}`, { key }), 403, 'forbidden')
  }
})

it('deliveries are counted by their outcome', async () => {
  const hook = await makeHook()
  const delivery = signed(hook.secret, 'msg_1')
  const accepted = await got<Accepted>(deliver(hook, delivery), 202)
  await completed(accepted)
  await got(deliver(hook, delivery), 202)
  await refused(deliver(hook, { ...delivery, body: '{"title":"Forged"}' }), 401, 'unauthenticated')
  const wanted = { recorded: 1, repeated: 1, unverified: 1, started: 1, dead: 0 }
  await eventually(
    async () => {
      const samples = await metrics()
      return Object.keys(wanted).map((state) =>
        samples.get(`satchel_deliveries_total{kind="hook",state="${state}"}`),
      )
    },
    (counts) => JSON.stringify(counts) === JSON.stringify(Object.values(wanted)),
  )
})

it('the log has no text of messages, answers, tools, files or keys, even when something fails', async () => {
  const planted = ['plantedquestion', 'plantedanswer', 'plantedtool', 'plantedfile', 'plantedpath']
  modelReplies(({ messages }) =>
    messages.length === 1
      ? {
          text: 'plantedanswer',
          calls: [{ name: 'read_file', input: { path: '/mnt/user-data/plantedtool' } }],
        }
      : { text: 'plantedanswer' },
  )
  const { key } = await makeKey('chat')
  const { thread } = await chat({ message: 'plantedquestion' }, { key })
  await got(send(`PUT /v1/threads/${thread}/files/uploads/plantedpath`, { key, body: 'plantedfile' }), 201)
  const broken = {
    THREADS: {
      getByName: () => {
        JSON.parse('{"a": plantedanswer')
      },
    } as unknown as DurableObjectNamespace,
  }
  await refused(
    send(`GET /v1/threads/${thread}/files/uploads/plantedpath`, { key, env: broken }),
    500,
    'internal',
  )
  expect(logged.join('\n')).toContain('"at":"http"')
  expect(planted.concat(key).filter((text) => logged.join('\n').includes(text))).toEqual([])
})
