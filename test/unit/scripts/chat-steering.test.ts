// Promise: text typed during an answer is queued or joins the answer, and a run that answers a late message is
// followed, too.

import { expect, test } from 'vitest'

import { Interrupts } from '../../../scripts/chat/interrupts.ts'
import type { TypingListener } from '../../../scripts/chat/keyboard.ts'
import { PlainScreen } from '../../../scripts/chat/plain-screen.ts'
import { followTurn } from '../../../scripts/chat/turn.ts'
import { splitTyped } from '../../../scripts/chat/typed-lines.ts'
import { Client } from '../../../src/client/client.ts'
import type { Event, EventBody } from '../../../src/agent/events.ts'
import { RECEIPT } from '../page/frames.ts'

test('keys are read as lines: a backslash and a paste continue one, and a backspace removes a character', () => {
  const texts = (input: string): unknown => {
    const { lines, rest } = splitTyped(input)
    expect(lines.map(({ raw }) => raw).join('') + rest.raw).toBe(input)
    return [lines.map(({ text }) => text), rest.text]
  }
  expect(texts('one\rtw')).toEqual([['one'], 'tw'])
  expect(texts('one\\\rtwo\r')).toEqual([['one\ntwo'], ''])
  expect(texts('\x1b[200~a\rb\x1b[201~ c\r\nd')).toEqual([['a\nb c'], 'd'])
  expect(texts('x\r\x1b[200~half\r')).toEqual([['x'], ''])
  expect(texts('a😀\x7fb\x1b[A\x1bOC\t\x7f\x7f\x7fc')).toEqual([[], 'c'])
})

interface Sent {
  readonly path: string
  readonly body: unknown
}

/** Follows a run whose receipt names `next`, while somebody steers it. `joined`: the run that the steering names. */
async function steered(
  joined: string,
  next: string | null,
): Promise<{ readonly sent: readonly Sent[]; readonly output: string; readonly threadId: string | null }> {
  let output = ''
  const sent: Sent[] = []
  let listener: TypingListener | null = null
  const frames = (run: string, ...bodies: readonly EventBody[]): Response => {
    const events = bodies.map((body, at): Event => ({
      ...body,
      seq: at + 1,
      thread_id: 'th',
      run_id: run,
      at: '',
    }))
    const text = events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    const headers = { 'X-Thread-Id': 'th', 'X-Run-Id': run, 'Content-Type': 'text/event-stream' }
    return new Response(text, { headers })
  }
  const end = (run_id: string, next_run_id: string | null): EventBody => ({
    type: 'run.completed',
    stop_reason: 'answered',
    receipt: { ...RECEIPT, run_id, ...(next_run_id !== null && { next_run_id }) },
  })
  const words = (text: string): EventBody => ({ type: 'text.delta', step: 1, block: 0, offset: 0, text })
  const client = new Client({
    url: 'http://server',
    key: 'k',
    wait: async () => undefined,
    fetch: async (url, init) => {
      const path = new URL(url).pathname
      if (path === '/v1/tools') return Response.json({ data: [], next_cursor: null })
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null
      sent.push({ path, body })
      if (path === '/v1/chat' && JSON.stringify(body).includes('steer'))
        return Response.json({ thread_id: 'th', run_id: joined }, { status: 202 })
      if (path === '/v1/chat') {
        listener?.onSteer('turn left')
        return frames('run_1', words('First.'), end('run_1', next))
      }
      return frames('run_2', words('Second.'), end('run_2', null))
    },
  })
  const { threadId } = await followTurn(
    { client, url: 'http://server', key: 'k', isDefault: false },
    {
      showsThinking: false,
      outputFolder: undefined,
      ask: null,
      screen: new PlainScreen((text) => (output += text), 80),
      interrupts: new Interrupts(),
      keyboard: {
        listen: (given) => {
          listener = given
          return () => (listener = null)
        },
      },
    },
    (following) => client.chat({ message: 'Go.' }, 'key', following),
  )
  return { sent, output, threadId }
}

const STEERING = { thread_id: 'th', message: 'turn left', on_busy: 'steer' }

test('a text joins the answer, even if it was typed before the run had its ID', async () => {
  const { sent, output } = await steered('run_1', null)
  expect(sent.map(({ path }) => path)).toEqual(['/v1/chat', '/v1/chat'])
  expect(sent[1]?.body).toEqual(STEERING)
  expect(output).toContain('First.')
  expect(output).not.toContain('answered now')
})

test.each([
  ['its receipt names', 'run_1', 'run_2'],
  ['a text started that arrived after its end', 'run_2', null],
])('the run that %s is followed', async (_, joined, next) => {
  const { sent, output, threadId } = await steered(joined, next)
  expect(sent.at(-1)?.path).toBe('/v1/threads/th/runs/run_2/events')
  expect(output).toMatch(/First\.[^]*your message is answered now[^]*Second\./)
  expect(threadId).toBe('th')
})
