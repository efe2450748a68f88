// Guards the receipt: it says how a run ended and what it was charged, with "at most" if part of the charge is an upper
// bound.

import { describe, expect, it } from 'vitest'

import type { Receipt, RunStopReason } from '../../../src/agent/events.ts'
import { toolItem } from '../../../src/page/run/items.ts'
import { markOf, endingOf } from '../../../src/page/run/outcome.ts'
import { chargeText, receiptRows } from '../../../src/page/run/receipt-rows.ts'
import { summaryOf } from '../../../src/page/run/receipt.ts'
import { newRun, type RunState } from '../../../src/page/run/state.ts'
import { RECEIPT, RUN } from './frames.ts'

function ended(receipt: Receipt, more: Partial<RunState> = {}): RunState {
  const { status, stop_reason: stopReason } = receipt
  return { ...newRun(RUN), status, stopReason, receipt, ...more }
}

const DONE: Receipt = {
  ...RECEIPT,
  accepted_at: '2026-01-02T03:04:05.000Z',
  ended_at: '2026-01-02T03:04:08.100Z',
  charged: { tokens: 1_234, usd: 0.0123, estimated: false },
}
const skill = (name: string) => ({ ...RECEIPT.skills[0]!, name }) // RECEIPT has one

describe('the line under an answer', () => {
  it('names the skills, counts the files, and shows cost and duration', () => {
    expect(summaryOf(DONE)).toBe('incident-report · 1 skill file read · $0.01 · 3.1 s')
    const many = { ...DONE, skills: ['a', 'b', 'c'].map(skill) }
    expect(summaryOf(many)).toBe('3 skills · 3 skill files read · $0.01 · 3.1 s')
    const none = { ...DONE, skills: [], charged: { ...DONE.charged, estimated: true } }
    expect(summaryOf(none)).toBe('1 tool call · at most $0.02 · 3.1 s')
  })

  it('leaves the reason of the end to the notice above it and the status line', () => {
    for (const [reason, mark] of [
      ['cancelled', 'Stopped'],
      ['loop_detected', 'Stopped: the agent repeated itself'],
      ['truncated', 'Cut off at the length limit'],
      ['answered', null],
      ['awaiting_input', null],
    ] as const) {
      const status = reason === 'cancelled' ? 'cancelled' : 'completed'
      const receipt = { ...DONE, status, stop_reason: reason } as const
      expect(markOf(ended(receipt))).toBe(mark)
      if (mark) expect(summaryOf(receipt)).not.toContain(mark)
    }
  })
})

describe('the receipt', () => {
  it('shows what was used, who approved what, and the rating', () => {
    const receipt: Receipt = {
      ...DONE,
      approvals: [{ tool_use_id: 'tu_9', decision: 'approve', by: 'key:ada', at: DONE.accepted_at }],
      rating: { value: 'down', note: 'Too long', by: 'key:ada', at: DONE.accepted_at },
    }
    const items = [toolItem('tu_9', 'create_ticket', {}, 1)]
    const rows = receiptRows(ended(receipt, { items }), receipt)
    const text = (name: string): string =>
      rows
        .find((row) => row.name === name)
        ?.lines.map((line) => `${line.text} ${line.code ?? ''}`.trim())[0] ?? ''
    expect(text('Outcome')).toBe('Answered')
    expect(text('Approvals')).toBe('create_ticket: approved by key:ada')
    expect(text('Rating')).toBe('poor: Too long (key:ada)')
    expect(text('Skills')).toBe('incident-report, built-in, loaded by the agent')
    expect(text('Digests')).toBe('incident-report 1f2e3d4c5b')
    expect(text('Skill files')).toBe('incident-report/references/template.md')
    expect(text('Cost')).toBe('$0.0123')
    expect(text('Tokens')).toMatch(/^1,234: /)
    const names = receiptRows(ended(DONE), DONE).map(({ name }) => name)
    expect(names).not.toContain('Approvals')
    expect(names).not.toContain('Searches')
  })

  it('counts the charged searches, by the engine and by the model itself', () => {
    const usage = { ...DONE.usage, web_search_requests: 3 }
    const receipt = { ...DONE, searches: { count: 2, usd: 0.01 }, usage }
    const row = receiptRows(ended(receipt), receipt).find(({ name }) => name === 'Searches')
    expect(row?.lines).toEqual([{ text: '2 for $0.0100, 3 by the model' }])
  })

  it('shows the cost, as an upper bound if a call was estimated', () => {
    expect(chargeText({ ...DONE.charged, estimated: true })).toMatch(/^at most \$0\.0123 \(an upper bound: /)
    expect(chargeText({ tokens: 0, usd: 0, estimated: false })).toBe('$0')
  })
})

describe('an end', () => {
  const endingAfter = (
    stop_reason: RunStopReason,
    status: 'completed' | 'failed' | 'cancelled' = 'completed',
  ) => endingOf(ended({ ...DONE, status, stop_reason }, { items: [toolItem('tu_9', 'ls', {}, 1)] }))

  it('at a limit can be continued, unless nothing was done before it', () => {
    expect(endingAfter('truncated')).toMatchObject({ tone: 'info', action: 'continue' })
    expect(endingAfter('step_limit', 'failed')?.action).toBe('continue')
    expect(endingAfter('budget', 'failed')?.action).toBe('continue')
    const atOnce = ended({ ...DONE, status: 'failed', stop_reason: 'budget' }, { items: [] })
    expect(endingOf(atOnce)?.action).toBeNull()
  })

  it('at a cap names it, and offers nothing that would be refused', () => {
    const [detail, more] = [
      'The cap of your key for this day is reached.',
      { type: '', title: '', status: 429 },
    ]
    const error = { ...more, code: 'quota_exceeded', detail, request_id: '' }
    const receipt = { ...DONE, status: 'failed', stop_reason: 'quota_exceeded', error } as const
    expect(endingOf(ended(receipt, { error }))).toEqual({ tone: 'info', text: detail, action: null })
  })

  it('by a failure is one sentence with the remedy: asking again, or a new thread', () => {
    expect(endingAfter('model_error', 'failed')).toEqual({
      tone: 'bad',
      text: 'The model could not be reached.',
      action: 'again',
    })
    expect(endingAfter('internal', 'failed')).toMatchObject({ tone: 'bad', action: 'again' })
    expect(endingAfter('context_overflow', 'failed')?.action).toBe('new')
  })

  it('by the model or a person is shown without alarm, and a normal one not at all', () => {
    expect(endingAfter('refused')).toMatchObject({ tone: 'info', action: 'edit' })
    expect(endingAfter('cancelled', 'cancelled')).toEqual({ tone: 'quiet', text: 'Stopped', action: null })
    expect([endingAfter('answered'), endingAfter('awaiting_input')]).toEqual([null, null])
  })
})
