// Searching the files of a thread: a thousand of 100 KB, sent over HTTP, and one call of grep or glob a message.

import { ADMIN_KEY, startFakeApi, startSatchel, type Server } from './servers.ts'
import type { Line } from './table.ts'

const FILES = 1_000
const FILE_BYTES = 100_000
const ROUNDS = 3
const SENT_AT_ONCE = 8
const GOAL_MS = 1_000

/** Each of another kind: found by looking, by going through states, and hostile in the ways that are known. */
const CALLS: readonly (readonly [what: string, tool: string, input: object])[] = [
  ['grep, a text', 'grep', { pattern: 'needle (in)', literal: true }],
  ['grep, a text in any case', 'grep', { pattern: 'Needle In', ignore_case: true }],
  ['grep, an expression with a word in it', 'grep', { pattern: '\\bTODO\\b.*\\d{4}' }],
  ['grep, an expression without one', 'grep', { pattern: '[A-Z]{3,}-\\d+' }],
  ['grep, an expression in any case', 'grep', { pattern: 'fatal.*time', ignore_case: true }],
  ['grep, nested repetition', 'grep', { pattern: '(a+)+[XY]' }],
  ['grep, alternatives that overlap', 'grep', { pattern: '(a|b|ab)*[XY]' }],
  ['grep, many at once', 'grep', { pattern: '(.*)(.*)(.*)(.*)[XY]' }],
  ['grep, states without end', 'grep', { pattern: '(?:o[a-z ]{1,30}){1,15}[XY]' }],
  ['grep, states without end and large', 'grep', { pattern: '[^X]{480}[^Y]{480}[XY]' }],
  ['glob, all', 'glob', { pattern: '**' }],
  ['glob, hostile', 'glob', { pattern: '*{*,**}*?'.repeat(30) }],
]

const WORDS =
  'the quick brown fox jumps over a lazy dog error warning value return function const import 12345 foo_bar user@example.com 2024-05-01 (x) {y}'.split(
    ' ',
  )

/** Prose of sorts, another for each number. */
function textOf(number: number): string {
  let state = number + 1
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >>> 8) % below
  }
  let text = ''
  while (text.length < FILE_BYTES) text += `${WORDS[next(WORDS.length)]}${next(12) === 0 ? '\n' : ' '}`
  return text.slice(0, FILE_BYTES)
}

/** Rejects with the answer's words where it is no good one. */
export async function asked(
  url: string,
  method: string,
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${ADMIN_KEY}`,
      ...(body === undefined ? {} : { 'Content-Type': method === 'PUT' ? 'text/plain' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response
}

async function fill(url: string): Promise<string> {
  const made: unknown = await (await asked(`${url}/v1/threads`, 'POST')).json()
  const thread =
    made !== null && typeof made === 'object' && 'thread_id' in made ? String(made.thread_id) : ''
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < FILES; at = next++) {
      const path = `workspace/part-${at % 20}/file-${at}.txt`
      const response = await asked(`${url}/v1/threads/${thread}/files/${path}`, 'PUT', textOf(at))
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: SENT_AT_ONCE }, lane))
  return thread
}

/** Milliseconds of the one call, as its event says. */
export async function timed(url: string, thread: string, tool: string, input: object): Promise<number> {
  const message = `CALL ${tool} ${JSON.stringify(input)} END`
  const response = await asked(
    `${url}/v1/chat`,
    'POST',
    JSON.stringify({ message, thread_id: thread, stream: true }),
  )
  const events = await response.text()
  const done = /^data: (.*"tool\.completed".*)$/m.exec(events)?.[1]
  const event: unknown = done === undefined ? null : JSON.parse(done)
  if (event === null || typeof event !== 'object' || !('duration_ms' in event))
    throw new Error(`${tool} was not called: ${events.slice(-500)}`)
  if ('is_error' in event && event.is_error === true) throw new Error(`${tool} failed: ${done}`)
  return Number(event.duration_ms)
}

/** The median of some rounds of each call. */
export async function measureSearch(
  tell: (text: string) => void,
): Promise<{ readonly lines: readonly Line[]; readonly figures: Record<string, number> }> {
  const started: Server[] = []
  try {
    const api = await startFakeApi()
    started.push(api)
    const satchel = await startSatchel(api.url)
    started.push(satchel)
    tell(`grep: sending ${FILES} files of ${FILE_BYTES} bytes`)
    const thread = await fill(satchel.url)
    const figures: Record<string, number> = {}
    const lines: Line[] = []
    for (const [what, tool, input] of CALLS) {
      const rounds: number[] = []
      for (let round = 0; round < ROUNDS; round++) rounds.push(await timed(satchel.url, thread, tool, input))
      const median = rounds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
      figures[what] = median
      lines.push({
        what: `${what}, ${FILES} files of 100 KB`,
        figure: `${median} ms`,
        goal: `≤ ${GOAL_MS} ms`,
        met: median <= GOAL_MS,
      })
    }
    return { lines, figures }
  } finally {
    for (const server of started.toReversed()) await server.stop()
  }
}
