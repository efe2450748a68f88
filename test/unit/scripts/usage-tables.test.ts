// Promise: `npm run usage` asks for what its arguments say, and prints sums and runs without control characters.

import { expect, test } from 'vitest'

import { showRuns, showUsage } from '../../../scripts/usage/show.ts'
import type { RunInfo, UsageReport, UsageSums } from '../../../src/workspace/run-api.ts'
import { served } from '../../fakes/served.ts'

const FLAGS = { json: false }
const NOW = Date.parse('2026-12-31T10:00:00Z')
const USAGE = {
  input_tokens: 1_000,
  output_tokens: 200,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cost_usd: 0.5,
}
const SUMS: UsageSums = {
  runs: 1_200,
  failed: 3,
  cancelled: 0,
  steps: 1,
  tool_calls: 0,
  usage: USAGE,
  charged: { tokens: 1_200, usd: 0.5, estimated: false },
}
const REPORT: UsageReport = {
  from: '2026-12-02',
  to: null,
  by: 'day,skill',
  ...SUMS,
  data: [{ day: '2026-12-03', value: 'alpha\u001b[2J', ...SUMS }],
  more: true,
}

test('usage is grouped as requested, by default for the last 30 days, with a total', async () => {
  const query = 'by=day%2Cskill&from=2026-12-02'
  const { output, ports } = served({ [`GET /admin/usage?${query}`]: [200, REPORT] })
  expect(await showUsage('day,skill', FLAGS, NOW, ports)).toBe(0)
  const text = output.join('\n')
  expect(text).toContain('2026-12-02 to today')
  expect(text).toMatch(/2026-12-03 +alpha\S* +1,200 +3 +1,200 +0\.5000/)
  expect(text).toMatch(/total +1,200 +3 +1,200 +0\.5000/)
  expect(text).not.toContain('\u001b[2J')
  expect(output.slice(-2).join(' ')).toMatch(/more rows.* counts in full/s)
})

test('a refusal is reported, and a given end means the 30 days up to it', async () => {
  const { requested, complaints, ports } = served({})
  expect(await showUsage('day', { ...FLAGS, to: '2026-12-01' }, NOW, ports)).toBe(1)
  expect(requested[0]?.line).toBe('GET /admin/usage?by=day&from=2026-11-02&to=2026-12-01')
  expect(complaints).toHaveLength(1)
})

test('runs are listed with their user, the reason of a failure, and their thread', async () => {
  const run: RunInfo = {
    run_id: 'run_1',
    thread_id: null,
    key: 'hook:hk_1',
    user: null,
    model: 'm',
    skills: [{ name: 'alpha', digest: 'd' }],
    status: 'failed',
    stop_reason: 'budget',
    accepted_at: '2026-12-03T07:00:00.000Z',
    started_at: null,
    first_text_at: null,
    ended_at: '2026-12-03T07:01:00.000Z',
    waited_s: 0,
    steps: 1,
    tool_calls: 0,
    recoveries: 0,
    interrupted_waits: 0,
    usage: USAGE,
    charged: SUMS.charged,
    rating: null,
  }
  const { output, ports } = served({
    'GET /admin/runs?limit=20': [200, { data: [run], next_cursor: null }],
  })
  expect(await showRuns(FLAGS, ports)).toBe(0)
  expect(output[1]).toMatch(/2026-12-03 07:01 +hook:hk_1 +failed \(budget\) +m +alpha +0\.5000 +deleted/)
})
