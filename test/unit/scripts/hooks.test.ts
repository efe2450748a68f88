// Promise: `npm run hooks` shows a secret only once, signs as the sender would, shows the outcome of every delivery,
// and deletes nothing without confirmation.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { DeliveryDetail, DeliveryInfo, HookView } from '../../../src/webhooks/api.ts'
import type { HookFlags, HookPorts } from '../../../scripts/hooks/ports.ts'
import { runHookVerb } from '../../../scripts/hooks/verbs.ts'
import { served } from '../../fakes/served.ts'
import { RUN_OPTIONS } from '../unattended/run-options.ts'
import { SECRETS, sign } from '../webhooks/signers.ts'

const FLAGS: HookFlags = {
  header: [],
  'dry-run': false,
  limit: '20',
  yes: false,
  json: false,
}
const ID = `hk_default_${'a'.repeat(36)}`
const NOW = Date.parse('2026-11-28T20:00:00.000Z')
const CREATED_AT = '2026-11-28T20:00:00.000Z'
const VIEW: HookView = {
  id: ID,
  workspace: 'default',
  name: 'Triage',
  scheme: 'github',
  signature: null,
  template: 'A new issue: {{issue.title}}',
  filter: null,
  thread: { key: '{{issue.id}}' },
  on_busy: 'enqueue',
  keep_days: 7,
  reply: null,
  ...RUN_OPTIONS,
  created_at: CREATED_AT,
  previous_secret_until: null,
  secret_readable: true,
}
const DELIVERY: DeliveryInfo = {
  order: 1,
  id: 'dl_1',
  webhook_id: 'd-1',
  state: 'started',
  reason: null,
  thread_id: 'th_1',
  run_id: 'run_1',
  received_at: CREATED_AT,
  settled_at: CREATED_AT,
  next_attempt_at: null,
  tries: 1,
  mismatches: 0,
  reply: null,
  original_id: null,
  replays: [],
  kept_bytes: 10,
}
const ACCEPTED = { delivery_id: 'dl_1', thread_id: 'th_1', run_id: 'run_1' }
const LISTED = {
  'GET /admin/hooks?limit=100': [
    200,
    { data: [{ id: ID, name: 'Triage', created_at: CREATED_AT }], next_cursor: null },
  ],
  [`GET /admin/hooks/${ID}`]: [200, VIEW],
} as const

/** A server with these responses that accepts deliveries, and what was delivered. */
function hooked(answers: Parameters<typeof served>[0], status = 202) {
  const { ports: shared, ...recorded } = served(answers)
  const delivered: { readonly url: string; readonly init: RequestInit }[] = []
  const ports: HookPorts = {
    ...shared,
    askSecret: async () => '',
    environmentSecret: undefined,
    fetch: async (url, init) => {
      delivered.push({ url, init })
      return Response.json(status === 202 ? ACCEPTED : { detail: 'No.' }, { status })
    },
    now: () => NOW,
  }
  return { ...recorded, delivered, ports }
}

async function fileOf(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'hooks-')), 'payload.json')
  await writeFile(file, text)
  return file
}

const created = (scheme: HookView['scheme']) =>
  ({ 'POST /admin/hooks': [201, { ...VIEW, scheme, secret: 'the-secret', url: `/hooks/${ID}` }] }) as const

test('create shows the URL, the secret and what to enter at the sender', async () => {
  const { requested, output, ports } = hooked(created('github'))
  const flags = {
    ...FLAGS,
    scheme: 'github',
    template: '{{issue.title}}',
    thread: '{{issue.id}}',
    'on-busy': 'latest',
  }
  expect(await runHookVerb(['create', 'Triage'], { ...flags, usd: '0.5' }, ports)).toBe(0)
  expect(requested[0]?.body).toEqual({
    name: 'Triage',
    scheme: 'github',
    template: '{{issue.title}}',
    thread: { key: '{{issue.id}}' },
    on_busy: 'latest',
    budget: { usd: 0.5 },
  })
  expect(output.join('\n')).toContain(`URL     http://satchel.test/hooks/${ID}\n  secret  the-secret`)
  expect(output.join('\n')).toContain('Settings, Webhooks, Add webhook')
  expect(output.at(-1)).toBe(`To try it: npm run hooks -- test ${ID} --file payload.json`)
})

test('create says how to store a secret that the sender generates, and does not repeat a given one', async () => {
  const { output, requested, ports } = hooked(created('stripe'))
  expect(await runHookVerb(['create', 'x'], { ...FLAGS, scheme: 'stripe' }, ports)).toBe(0)
  expect(output.join('\n')).toContain(`npm run hooks -- rotate ${ID} --overlap 0 --secret -`)
  const given = { ...ports, askSecret: async () => 'the-secret' }
  output.length = 0
  expect(await runHookVerb(['create', 'x'], { ...FLAGS, scheme: 'stripe', secret: '-' }, given)).toBe(0)
  expect(requested.at(-1)?.body).toMatchObject({ secret: 'the-secret' })
  expect(output.join('\n')).not.toMatch(/the-secret|rotate/)
})

test.each([
  [['create', 'x'], { template: 'a', file: 'b' }, /not both/],
  [['create', 'x'], { usd: 'much' }, /not a number/],
  [['create', 'x'], { secret: '-' }, /No secret was given/],
  [['create', 'a', 'b'], {}, /quotes/],
  [['log'], {}, /name of a hook/],
  [['send', 'x'], {}, /--file FILE/],
  [['send', 'x'], { file: '/nowhere' }, /no file/],
  [['frobnicate', 'x'], {}, /no verb/],
  [[], {}, /Specify a verb/],
])('%j with %j sends nothing and says what is wrong', async (words, flags, message) => {
  const { requested, delivered, ports } = hooked({})
  expect(await runHookVerb(words, { ...FLAGS, ...flags }, ports)).toMatch(message)
  expect([requested, delivered]).toEqual([[], []])
})

test.each([
  [['test', ID], { header: ['nonsense'], file: 'f' }, /is not a header/],
  [['replay', ID], {}, /hook and a delivery/],
  [['rotate', ID], { overlap: 'long' }, /number of seconds/],
  [['log', ID], { limit: 'all' }, /--limit takes/],
  [['change', ID], {}, /at least one option/],
  [['change', ID], { secret: 'a-secret' }, /rotate/],
])('%j with %j changes nothing and says what is wrong', async (words, flags, message) => {
  const { requested, ports } = hooked(LISTED)
  const file = 'file' in flags ? { file: await fileOf('{}') } : {}
  expect(await runHookVerb(words, { ...FLAGS, ...flags, ...file }, ports)).toMatch(message)
  expect(requested.map(({ line }) => line.slice(0, 3))).toEqual(['GET'])
})

test('send signs as the sender does, sends the bytes of the file to the hook, and needs no name for the only hook', async () => {
  const { delivered, output, ports } = hooked(LISTED)
  const sent = sign('github', { issue: 1 }, NOW)
  const flags = { ...FLAGS, scheme: 'github', id: 'd-1', file: await fileOf(sent.body) }
  const header = ['X-GitHub-Event: issues']
  const secret = { ...ports, environmentSecret: SECRETS.github }
  expect(await runHookVerb(['send'], { ...flags, header }, secret)).toBe(0)
  expect(delivered).toEqual([
    {
      url: `http://satchel.test/hooks/${ID}`,
      init: {
        method: 'POST',
        body: sent.body,
        headers: { 'content-type': 'application/json', ...sent.headers },
      },
    },
  ])
  expect(output).toEqual(['Delivery dl_1 was recorded. Its run: http://satchel.test/#t=th_1'])
})

test('send without a secret, with an invalid one, or for another scheme sends nothing and says what to do', async () => {
  const { delivered, complaints, ports } = hooked(LISTED)
  const flags = { ...FLAGS, file: await fileOf('{}') }
  expect(await runHookVerb(['send', 'Triage'], flags, ports)).toBe(1)
  expect(complaints.at(-1)).toMatch(/HOOK_SECRET[^]*rotate 'Triage'[^]*test 'Triage'/)
  expect(await runHookVerb(['send', 'Triage'], { ...flags, secret: 'short' }, ports)).toBe(1)
  expect(complaints.at(-1)).toMatch(/8 to 256/)
  expect(await runHookVerb(['send', 'Triage'], { ...flags, scheme: 'slack' }, ports)).toBe(1)
  expect(complaints.at(-1)).toMatch(/has the scheme github/)
  expect(await runHookVerb(['send'], { ...flags, scheme: 'slack' }, ports)).toBe(1)
  expect(complaints.at(-1)).toMatch(/no hooks of the scheme slack.*create NAME --scheme slack/)
  expect(delivered).toEqual([])
})

test('send says that a refused delivery may have the wrong secret', async () => {
  const { complaints, ports } = hooked(LISTED, 401)
  const flags = { ...FLAGS, secret: 'another-secret', file: await fileOf('{}') }
  expect(await runHookVerb(['send', ID], flags, ports)).toBe(1)
  expect(complaints.at(-1)).toMatch(/^401: [^]*secret of this hook\?/)
})

test('test lets the server sign, and a dry run shows the verdict and the message', async () => {
  const line = `POST /admin/hooks/${ID}/test`
  const trial = { verdict: 'accepted', reason: null, message: 'A new issue:\nFull', thread_id: null }
  const { requested, output, delivered, ports } = hooked({ ...LISTED, [line]: [200, trial] })
  const flags = { ...FLAGS, 'dry-run': true, header: ['X-A: b'], file: await fileOf('{"a": 1}') }
  expect(await runHookVerb(['test', 'Triage'], flags, ports)).toBe(0)
  expect(requested.at(-1)).toEqual({
    line,
    body: { payload: '{"a": 1}', headers: { 'x-a': 'b' }, dry_run: true },
  })
  expect(output).toEqual(['It would be accepted.', '', 'A new issue:', 'Full'])
  expect(delivered).toEqual([])
})

test('the log is searched over empty pages, and shows state, thread and reason without control characters', async () => {
  const path = `GET /admin/hooks/${ID}/deliveries?limit=20&state=filtered&reply=failed&id=d-1&q=disk`
  const filtered: DeliveryInfo = {
    ...DELIVERY,
    state: 'filtered',
    thread_id: null,
    reason: 'no\u001b[2J match',
  }
  const { output, ports } = hooked({
    ...LISTED,
    [path]: [200, { data: [], next_cursor: 'n' }],
    [`${path}&cursor=n`]: [
      200,
      {
        data: [filtered, { ...DELIVERY, reply: { state: 'failed', detail: 'HTTP 500', at: CREATED_AT } }],
        next_cursor: null,
      },
    ],
  })
  const flags = { ...FLAGS, state: 'filtered', reply: 'failed', id: 'd-1', text: 'disk' }
  expect(await runHookVerb(['log', 'Triage'], flags, ports)).toBe(0)
  expect(output[0]).toMatch(/^received +state +delivery +thread +reason$/)
  expect(output[1]).toMatch(/^28 Nov 2026, \S+ +filtered +dl_1 +no match$/)
  expect(output[2]).toMatch(/started +dl_1 +http:\/\/satchel\.test\/#t=th_1 +reply failed$/)
})

test('one delivery is shown with its headers and body, and says if they have expired', async () => {
  const line = `GET /admin/hooks/${ID}/deliveries/dl_1`
  const reply = { state: 'unknown' as const, detail: 'Look at its target.', at: CREATED_AT }
  const detail: DeliveryDetail = {
    ...DELIVERY,
    reply,
    headers: { 'x-github-event': 'issues' },
    body: '{"a":"b"}',
  }
  const { output, ports } = hooked({ ...LISTED, [line]: [200, detail] })
  expect(await runHookVerb(['log', 'Triage', 'dl_1'], FLAGS, ports)).toBe(0)
  expect(output.join('\n')).toMatch(/reply +unknown, .*: Look at its target/)
  expect(output.join('\n')).toContain('x-github-event: issues\n\n{\n  "a": "b"\n}')
  const gone = hooked({ ...LISTED, [line]: [200, { ...detail, headers: null, body: null }] })
  expect(await runHookVerb(['log', 'Triage', 'dl_1'], FLAGS, gone.ports)).toBe(0)
  expect(gone.output.at(-1)).toMatch(/not kept, so it cannot be replayed/)
})

test('show, replay, reply, rotate, change and list say what follows', async () => {
  const { output, requested, ports } = hooked({
    ...LISTED,
    [`GET /admin/hooks/${ID}/deliveries?limit=10`]: [200, { data: [DELIVERY], next_cursor: null }],
    [`POST /admin/hooks/${ID}/deliveries/dl_1/replay`]: [202, { ...ACCEPTED, delivery_id: 'dl_2' }],
    [`POST /admin/hooks/${ID}/rotate`]: [200, { ...VIEW, secret: 'new-one' }],
    [`POST /admin/hooks/${ID}/deliveries/dl_1/reply`]: [200, {}],
    [`PATCH /admin/hooks/${ID}`]: [200, { ...VIEW, thread: 'one' }],
  })
  expect(await runHookVerb(['show', 'Triage'], FLAGS, ports)).toBe(0)
  expect(output.join('\n')).toMatch(/scheme +github\n[^]*one for each \{\{issue\.id\}\}[^]*started +dl_1/)
  expect(await runHookVerb(['replay', 'Triage', 'dl_1'], FLAGS, ports)).toBe(0)
  expect(output.at(-1)).toBe('Delivery dl_2 was recorded. Its run: http://satchel.test/#t=th_1')
  expect(await runHookVerb(['reply', 'Triage', 'dl_1'], FLAGS, ports)).toBe(0)
  expect(output.at(-1)).toContain(`log ${ID} dl_1`)
  expect(await runHookVerb(['rotate', 'Triage'], { ...FLAGS, overlap: '0' }, ports)).toBe(0)
  expect(requested.at(-1)?.body).toEqual({ secret: null, overlap_s: 0 })
  expect(output.slice(-2)).toEqual([
    '  secret  new-one  (shown only now)',
    'The previous one is no longer valid.',
  ])
  const change = { ...FLAGS, template: '{{payload}}', thread: 'one', 'on-busy': 'latest', name: 'New' }
  expect(await runHookVerb(['change', 'Triage'], change, ports)).toBe(0)
  expect(requested.at(-1)?.body).toEqual({
    template: '{{payload}}',
    thread: 'one',
    on_busy: 'latest',
    name: 'New',
  })
  expect(output.join('\n')).toContain('one for all deliveries')
  expect(await runHookVerb(['list'], FLAGS, ports)).toBe(0)
  expect(output.at(-1)).toMatch(/^Triage +28 Nov 2026, \S+ +hk_default_a/)
})

test('a hook is deleted only after confirmation', async () => {
  const line = `DELETE /admin/hooks/${ID}`
  const { requested, output, ports } = hooked({ ...LISTED, [line]: [200, {}] })
  expect(await runHookVerb(['delete', 'Triage'], FLAGS, ports)).toBe(2)
  expect(await runHookVerb(['delete', 'Triage'], FLAGS, { ...ports, ask: async () => 'n' })).toBe(1)
  expect(requested.map((request) => request.line)).not.toContain(line)
  expect(await runHookVerb(['delete', 'Triage'], { ...FLAGS, yes: true }, ports)).toBe(0)
  expect(output.at(-1)).toBe('Triage was deleted.')
})
