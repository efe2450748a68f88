// The contents of the measured page: a streamed answer of 200 KB with all Markdown elements, and a thread of 500
// messages.

import type { EventBody } from '../../../src/agent/events.ts'
import type { Message } from '../../../src/agent/message.ts'
import { frame, message, RECEIPT, RUN } from '../../../test/unit/page/frames.ts'

const ANSWER_CHARS = 200_000
/** Characters per piece: ten times what a model sends during a frame. */
const PIECE_CHARS = 400

function section(number: number): string {
  const rows = Array.from(
    { length: 20 },
    (_, at) => `| ${number}.${at} | service ${at} | ${at * 37} | what was seen |`,
  )
  const lines = Array.from(
    { length: 25 },
    (_, at) => `  const value${at} = await read('file ${at}', ${at}) // a note`,
  )
  return [
    `## Section ${number}`,
    `Some **bold** words, \`code\`, a [link](https://example.com/${number}) and a sentence that is long enough to be broken.`,
    `- first\n- second\n  - nested *item*\n- [ ] a task`,
    ['| id | name | count | note |', '|----|:----:|------:|------|', ...rows].join('\n'),
    ['```ts', `export async function part${number}() {`, ...lines, '}', '```'].join('\n'),
    `> A quote of section ${number}.`,
  ].join('\n\n')
}

/** The complete answer. */
function longAnswer(): string {
  let text = ''
  for (let number = 1; text.length < ANSWER_CHARS; number++) text += `${section(number)}\n\n`
  return text
}

/** The answer as a stream of pieces. */
export function longStream(): readonly string[] {
  const text = longAnswer()
  let seq = 0
  const serialize = (body: EventBody): string => {
    const event = frame((seq += 1), body)
    return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`
  }
  const started = serialize({
    type: 'run.started',
    model: 'demo',
    build: 'b',
    catalog_version: 1,
    demo: true,
  })
  const pieces: string[] = [started]
  for (let offset = 0; offset < text.length; offset += PIECE_CHARS) {
    const piece = text.slice(offset, offset + PIECE_CHARS)
    pieces.push(serialize({ type: 'text.delta', step: 1, block: 0, offset, text: piece }))
  }
  pieces.push(serialize({ type: 'run.completed', stop_reason: 'answered', receipt: RECEIPT }))
  return pieces
}

export const STREAM_HEADERS: [string, string][] = [
  ['content-type', 'text/event-stream'],
  ['x-thread-id', 'th_1'],
  ['x-run-id', RUN],
]

/** The routes of a thread with `count` messages, and the server's responses. */
export function longThread(count: number): Readonly<Record<string, unknown>> {
  const runs = Array.from({ length: count / 2 }, (_, number) => `run_${number + 1}`)
  const messages = runs.flatMap((id, number): Message[] =>
    (['user', 'assistant'] as const).map((role) => ({
      ...message(`m_${number}_${role}`, role, [
        { type: 'text', text: role === 'user' ? `Question ${number + 1}` : section(number) },
      ]),
      run_id: id,
    })),
  )
  const page = (data: readonly unknown[]): unknown => ({ data, next_cursor: null })
  return {
    '/v1/threads/th_1/runs': page(runs.map((id) => ({ ...RECEIPT, run_id: id })).toReversed()),
    '/v1/threads/th_1/messages': page(messages),
  }
}
