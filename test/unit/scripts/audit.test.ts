// Promise: `npm run audit` asks for what its arguments say, and prints actions and failed sign-ins without control characters.

import { expect, test } from 'vitest'

import { showActions, showFailedSignIns } from '../../../scripts/audit/show.ts'
import type { AuditEntry } from '../../../src/workspace/audit-api.ts'
import { served } from '../../fakes/served.ts'

const FLAGS = { json: false }
const ENTRY: AuditEntry = {
  id: 7,
  at: '2026-12-03T07:01:02.000Z',
  request_id: 'req_1',
  key: 'b3k2',
  user: null,
  role: 'admin',
  network: '203.0.113.0/24',
  action: 'keys.change',
  target: 'k9\u001b[2J',
  status: null,
  before: { note: 'one' },
  after: { note: null },
}

test('actions are filtered as requested, with their changes on request', async () => {
  const { output, ports } = served({
    'GET /admin/audit?action=keys&from=2026-12-01&limit=5': [200, { data: [ENTRY], next_cursor: 'more' }],
  })
  const filters = { action: 'keys', from: '2026-12-01' }
  expect(await showActions(filters, { ...FLAGS, limit: '5', changes: true }, ports)).toBe(0)
  const text = output.join('\n')
  expect(text).toMatch(/2026-12-03 07:01 +b3k2 +keys\.change +k9\S* +unknown +203\.0\.113\.0\/24/)
  expect(text).toContain('note: "one" → null')
  expect(text).not.toContain('\u001b[2J')
  expect(output.at(-1)).toMatch(/There are more/)
})

test('failed sign-ins are listed by minute and network, as JSON on request', async () => {
  const page = { data: [{ at: ENTRY.at, network: 'others', key: 'b3k2', count: 1_200 }], next_cursor: null }
  const { output, ports } = served({ 'GET /admin/audit/sign-ins?limit=20': [200, page] })
  expect(await showFailedSignIns(FLAGS, ports)).toBe(0)
  expect(output[1]).toMatch(/2026-12-03 07:01 +others +b3k2 +1,200/)
  expect(await showFailedSignIns({ json: true }, ports)).toBe(0)
  expect(JSON.parse(output.at(-1) ?? '')).toEqual(page)
})

test('an empty list and a refusal are reported', async () => {
  const { output, complaints, ports } = served({
    'GET /admin/audit?limit=20': [200, { data: [], next_cursor: null }],
  })
  expect(await showActions({}, FLAGS, ports)).toBe(0)
  expect(output).toEqual(['Nothing was recorded.'])
  expect(await showActions({ actor: 'x' }, FLAGS, ports)).toBe(1)
  expect(complaints).toHaveLength(1)
})
