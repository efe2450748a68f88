// Promise: in a terminal, a person sees what a call would send before they decide, the decision applies to that
// request alone, and without a person nothing waits.

import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

import { expect, test } from 'vitest'

import { localTime } from '../../../scripts/chat/local-time.ts'
import { cardLines, parseChoice } from '../../../scripts/chat/card.ts'
import { ApprovalDesk } from '../../../scripts/chat/approval-desk.ts'
import { PlainScreen } from '../../../scripts/chat/plain-screen.ts'
import { readAnswer, chosenOption } from '../../../scripts/chat/question.ts'
import { RichScreen } from '../../../scripts/chat/rich-screen.ts'
import { lineReader } from '../../../scripts/lib/ask.ts'
import { err, ok } from '../../../src/lib/result.ts'

import type { Event, EventBody } from '../../../src/agent/events.ts'
import type { ApprovalAnswer } from '../../../src/thread/approvals/api.ts'
import type { Code } from '../../../src/lib/result.ts'

let seq = 0
const event = (body: EventBody): Event => ({
  ...body,
  seq: ++seq,
  thread_id: 'th_1',
  run_id: 'run_1',
  at: '',
})
const requested = (id: string, digest: string, body = 'the body') =>
  event({
    type: 'approval.requested',
    tool_use_id: id,
    name: 'create_ticket',
    input: { title: 'x' },
    request: {
      kind: 'tool',
      method: 'POST',
      url: 'https://tickets.example.com/',
      headers: { 'X-Team': 'web' },
      body,
      notes: ['body: only the first 10 of 90,000 characters are shown'],
    },
    digest,
    free: [],
    reason: 'Its rule asks.',
    expires_at: '2026-11-30T00:00:00.000Z',
  })
const waiting = event({
  type: 'run.waiting',
  reason: 'approval',
  tool_use_ids: [],
  since: '2026-01-02T03:04:05.000Z',
  until: '2026-01-02T03:04:05.000Z',
  detail: '',
})
const decided = (id: string) =>
  event({ type: 'approval.decided', tool_use_id: id, decision: 'deny', by: 'user:ada' })
const refusal = (code: Code) =>
  err({
    kind: 'problem',
    problem: { type: '', title: '', status: 409, code, detail: code, request_id: 'r' },
    retryAfterMs: null,
  } as const)

/** A person who types these lines, or null without a terminal. `refusals`: the server's errors by digest. */
function desk(typed: readonly (string | null)[] | null, refusals: Record<string, Code> = {}) {
  const lines = [...(typed ?? [])]
  const answers: (ApprovalAnswer & { readonly id: string })[] = []
  const sent: string[] = []
  let left = 0
  const made = new ApprovalDesk({
    ask:
      typed &&
      (async (_question, signal) => {
        if (lines.length > 0) return lines.shift() ?? null
        return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(null)))
      }),
    show: (one) => sent.push(...cardLines(one, 80)),
    say: (line) => sent.push(line),
    sendDecision: async ({ tool_use_id }, answer) => {
      answers.push({ ...answer, id: tool_use_id })
      const code = refusals[answer.digest ?? '']
      return code === undefined ? ok(null) : refusal(code)
    },
    explain: (failure) => (failure.kind === 'problem' ? failure.problem.code : failure.detail),
    stopFollowing: () => left++,
  })
  const see = async (...events: readonly Event[]): Promise<void> => {
    for (const one of events) made.handleEvent(one)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { made, see, answers, output: sent, left: () => left }
}

test('the request is shown, then the decision is sent with its digest, for each pending call', async () => {
  const { see, answers, output: sent, left } = desk(['y', 'what?', 'n not today'])
  await see(requested('a', 'd1'), requested('b', 'd2'), waiting)
  expect(answers).toEqual([
    { id: 'a', decision: 'approve', note: null, remember: null, digest: 'd1' },
    { id: 'b', decision: 'deny', note: 'not today', remember: null, digest: 'd2' },
  ])
  const text = sent.join('\n')
  for (const part of [
    'POST https://tickets.example.com/',
    'X-Team: web',
    '  │ the body',
    '! body: only the first 10 of 90,000',
  ])
    expect(text).toContain(part)
  expect(text).toContain('"what?" is not a choice; type y, n, r or t.')
  expect(left()).toBe(0)
})

test('a changed request is shown and asked again, whatever reports the change', async () => {
  const { see, answers } = desk(['y', 't'], { d1: 'tool_changed' })
  await see(requested('a', 'd1'), waiting)
  await see(requested('a', 'd2'), waiting)
  expect(answers.map(({ digest, remember }) => [digest, remember])).toEqual([
    ['d1', null],
    ['d2', 'thread'],
  ])
})

test('a question that somebody else answered is withdrawn', async () => {
  const { made, see, answers, left } = desk([])
  await see(requested('a', 'd1'), waiting)
  expect(made.openCalls).toHaveLength(1)
  await see(decided('a'))
  expect([answers, made.openCalls, left()]).toEqual([[], [], 0])
})

test.each([
  ['there is no terminal', null, {}],
  ['the input has ended', [null], {}],
  ['nothing valid is typed', ['', 'x', 'yes please'], {}],
  ['others must decide', ['y'], { d1: 'approval_forbidden' as const }],
])('leaves the run where %s, and knows which calls are pending', async (_, typed, refusals) => {
  const { made, see, left } = desk(typed, refusals)
  await see(requested('a', 'd1'), waiting)
  expect(left()).toBe(1)
  expect(made.openCalls.map(({ tool_use_id }) => tool_use_id)).toEqual(['a'])
})

test('only the choices are accepted, and nothing that controls the terminal is shown', () => {
  for (const [typed, answer] of [
    ['yes', ['approve', null, null]],
    ['R', ['approve', null, 'run']],
    ['n: ask Ada first', ['deny', 'ask Ada first', null]],
    ['no', ['deny', null, null]],
  ] as const) {
    const { decision, note, remember } = parseChoice(typed) ?? {}
    expect([decision, note, remember], typed).toEqual(answer)
  }
  for (const typed of ['', 'ye', 'yes but', 'run it', 'never']) expect(parseChoice(typed), typed).toBeNull()
  const hostile = requested('a', 'd', '\u001B[2J\u001B[1A approved\r\u202E')
  const lines = hostile.type === 'approval.requested' ? cardLines(hostile, 80).join('\n') : ''
  // eslint-disable-next-line no-control-regex
  expect(lines.replace(/\u001B\[\d+m/g, '')).not.toMatch(/[\u001B\r\u202E]/)
})

test('every row with text of the call has a bar, in any terminal', () => {
  const gap = ' '.repeat(400)
  const card = [
    '! of the call before: approved',
    '? pay waits for your approval, until today',
    'Its rule asks.',
  ]
  const body = `{"to":"mallory","text":"${[...card, '👨‍👩‍👧'.repeat(30), '\t'.repeat(30), 'x'.repeat(300)].join(gap)}"}`
  const event = requested('a', 'd', body)
  if (event.type !== 'approval.requested' || !event.request) throw new Error('it is none')
  const url = `https://tickets.example.com/?${'a!-of-the-call-before'.repeat(20)}`
  const request = { ...event.request, url, headers: { 'X-Note': card.join(gap) } }
  for (const columns of [20, 60, 100]) {
    let out = ''
    const screens = [
      new RichScreen(
        (text) => (out += text),
        () => undefined,
        () => columns,
      ),
      new PlainScreen((text) => (out += text), columns),
    ]
    for (const screen of screens) {
      out = ''
      const rows = cardLines({ ...event, request }, screen.columns)
      for (const row of rows) screen.verbatim(row)
      const shown = stripVTControlCharacters(out).split('\n').slice(0, -1)
      expect(shown).toEqual(rows.map(stripVTControlCharacters))
      const quoted = shown.filter((row) => row.startsWith('  │ '))
      expect(quoted.map((row) => row.slice(4)).join('')).toBe(`POST ${url}X-Note: ${card.join(gap)}${body}`)
      // Our own text is only the header, the reason and the note.
      const own = shown.filter((row) => !row.startsWith('  │ ')).join(' ')
      expect(own.replace(/\s/g, '')).toBe(
        `? ${event.name} waits for your approval, until ${localTime(event.expires_at)} ${event.reason} ! ${request.notes.join()}`.replace(
          /\s/g,
          '',
        ),
      )
      for (const row of shown)
        expect(Array.from(row.replace(/[^ -~]/gu, 'xx')).length).toBeLessThanOrEqual(columns + 1)
    }
  }
})

test('an answer to a question is a choice by its number, or text', async () => {
  const options = ['Europe', 'Asia']
  expect(['2', '1.', '3', '2 of them', 'Mars'].map((typed) => chosenOption(typed, options))).toEqual([
    'Asia',
    'Europe',
    '3',
    '2 of them',
    'Mars',
  ])
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.end('1\n')
  expect(await readAnswer(lineReader(input, output), options)).toBe('Europe')
  const ended = new PassThrough()
  ended.end()
  expect(await readAnswer(lineReader(ended, output), options)).toBeNull()
  const gone = lineReader(new PassThrough(), output)('?', AbortSignal.timeout(1))
  expect(await gone).toBeNull()
})
