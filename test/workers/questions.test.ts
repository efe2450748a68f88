// Guards "the model asks before it guesses": a question ends the run as awaiting_input and is shown with its choices,
// the answer is the next message, and a run without a person tells the model that nobody can answer.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatReply } from '../../src/thread/api.ts'
import { requested, chat, got, makeKey, modelReplies, send, serveSkills } from './api-fixture.ts'

let key = ''

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  key = (await makeKey('chat')).key
})
beforeEach(() => modelReplies())

function asks(input: object, ...others: { name: string; input: object }[]): void {
  modelReplies((request) =>
    request.messages.some(({ role }) => role === 'assistant')
      ? { text: 'Thank you.' }
      : { text: 'One thing first.', calls: [{ name: 'ask_clarification', input }, ...others] },
  )
}

const QUESTION = {
  question: 'Which region?',
  kind: 'missing_info',
  context: 'Prices differ.',
  options: ['Europe', 'Asia'],
}

describe('a question to the person', () => {
  it('ends the run with its choices, and the model is not called again', async () => {
    asks(QUESTION)
    const { events, last } = await chat({ message: 'What does it cost?' }, { key })
    const shown = events.find(({ type }) => type === 'input.requested')
    expect(shown).toMatchObject({ ...QUESTION, id: expect.stringMatching(/./) })
    expect(last).toMatchObject({ type: 'run.completed', stop_reason: 'awaiting_input' })
    expect(requested).toHaveLength(1)
  })

  it('is answered by the next message, which extends what the model was sent', async () => {
    asks(QUESTION)
    const { thread } = await chat({ message: 'What does it cost?' }, { key })
    const { last } = await chat({ message: 'Europe', thread_id: thread }, { key })
    expect(last).toMatchObject({ type: 'run.completed', stop_reason: 'answered' })
    const sent = requested.at(-1)?.messages ?? []
    expect(sent.slice(0, requested[0]?.messages.length)).toEqual(requested[0]?.messages)
    expect(JSON.stringify(sent.at(-1))).toContain('Europe')
  })

  it('is in the answer to a client that waits', async () => {
    asks(QUESTION)
    const reply = await got<ChatReply>(
      send('POST /v1/chat', { key, body: { message: 'Price?', stream: false } }),
    )
    expect(reply).toMatchObject({ status: 'completed', stop_reason: 'awaiting_input', question: QUESTION })
  })

  it('waits for the other calls of its step', async () => {
    asks(QUESTION, { name: 'write_file', input: { path: '/mnt/user-data/outputs/a.md', content: 'A.' } })
    const { events, last } = await chat({ message: 'What does it cost?' }, { key })
    expect(events.filter(({ type }) => type === 'tool.completed')).toHaveLength(2)
    expect(events.some(({ type }) => type === 'file.written')).toBe(true)
    expect(last).toMatchObject({ stop_reason: 'awaiting_input' })
  })

  it('that is invalid is not asked: the model gets an error and continues', async () => {
    asks({ ...QUESTION, options: Array.from({ length: 25 }, (_, at) => `Option ${at}`) })
    const { events, last } = await chat({ message: 'What does it cost?' }, { key })
    expect(events.some(({ type }) => type === 'input.requested')).toBe(false)
    expect(last).toMatchObject({ type: 'run.completed', stop_reason: 'answered' })
    expect(JSON.stringify(requested.at(-1)?.messages.at(-1))).toContain('it has 25 options')
  })
})
