// A run's report to its workspace, and the question for all usage, for tests.

import type { RunRecord, UsageQuery } from '../../src/workspace/run-api.ts'

export const ALL_USAGE: UsageQuery = { from: null, to: null, daily: false, dimension: null }

export function runRecord(id: string, change: Partial<RunRecord> = {}): RunRecord {
  return {
    id,
    key: 'k',
    user: null,
    model: 'm',
    skills: [],
    status: 'completed',
    stopReason: 'answered',
    acceptedAt: 0,
    startedAt: 0,
    firstTextAt: null,
    endedAt: Date.parse('2030-01-01T00:00:00Z'),
    waitedMs: 0,
    steps: 1,
    toolCalls: 0,
    recoveries: 0,
    interruptedWaits: 0,
    usage: {
      input_tokens: 1,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cost_usd: null,
    },
    charged: { tokens: 0, usd: 0, estimated: false },
    rating: null,
    ...change,
  }
}
