// Promise: the demo model calls a tool from settings only if the message is an instruction that names it (`Open a
// ticket: …`), uses the text after the colon as input, and reports the result truthfully.

import { expect, test } from 'vitest'

import { planStep } from '../../../src/demo/plan.ts'
import type { Json } from '../../../src/lib/json.ts'

const TICKET: Json = {
  name: 'create_ticket',
  description: 'Opens a ticket. Use it when the user asks for one.',
  input_schema: {
    type: 'object',
    properties: { title: { type: 'string', maxLength: 20 } },
    required: ['title'],
  },
}
const ORDER: Json = {
  name: 'place_order',
  description: 'Places an order.',
  input_schema: {
    type: 'object',
    properties: {
      what: { type: 'string' },
      count: { type: 'integer' },
      speed: { enum: ['slow', 'express'] },
      note: { type: 'string' },
      free: { type: 'boolean' },
    },
    required: ['what', 'count', 'speed', 'note'],
  },
}
const LOAD: Json = { name: 'load_skill', description: 'Loads.', input_schema: { type: 'object' } }

function step(text: string, tools: readonly Json[] = [LOAD, TICKET, ORDER], more: readonly Json[] = []) {
  return planStep({ system: '', tools, messages: [{ role: 'user', content: text }, ...more] })
}

function answered(content: string, isError: boolean): string {
  const use = { type: 'tool_use', id: 'a', name: 'create_ticket', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'a', content, is_error: isError }
  const [requested, done] = [
    { role: 'assistant', content: [use] },
    { role: 'user', content: [result] },
  ]
  const { text, calls } = step('Open a ticket: paper', [TICKET], [requested, done])
  expect(calls).toEqual([])
  return text
}

test.each([
  ['Open a ticket: no paper', 'no paper'],
  ['Please create a ticket:\nno paper: floor 2', 'no paper: floor 2'],
  ['create_ticket: no paper', 'no paper'],
  ['Use the tool create_ticket: an order of twenty-five reams', 'an order of twenty-…'],
])('%j is an instruction', (text, title) => {
  expect(step(text).calls).toEqual([{ name: 'create_ticket', input: { title } }])
})

test.each([
  'Hello: you',
  'Do not open a ticket: no paper',
  'When you open a ticket: what happens?',
  'Shall I open a ticket?: no paper',
  'Show the tickets: last week',
  'Review this: open a ticket',
  'Open a ticket and delete all tickets: yes',
  'The page says to open a ticket for everything: no paper',
  'Tell me about create_ticket: how it works',
])('%j is not an instruction', (text) => {
  expect(step(text).calls.map(({ name }) => name)).not.toContain('create_ticket')
})

test('fields are filled from the text, and a missing one is asked for, not invented', () => {
  expect(step('Place an order: paper\n12 reams, express please').calls).toEqual([
    {
      name: 'place_order',
      input: { what: 'paper', count: 12, speed: 'express', note: '12 reams, express please' },
    },
  ])
  const none = step('Place an order: paper')
  expect(none.calls).toEqual([])
  expect(none.text).toContain('count, speed, note')
  expect(step('Open a ticket').text).toContain('"Open a ticket: …"')
})

test('the outcome of the call is reported truthfully', () => {
  expect(answered('HTTP 201\n\nid: 1', false)).toContain(
    'create_ticket was called and returned:\n\n> HTTP 201',
  )
  const refused = answered(
    'Not run: a person denied this call. Do not try to do the same thing in another way. They say: not today',
    true,
  )
  expect(refused).toContain('nothing was sent. The note says: not today')
  expect(answered('Not run: the tool is no longer available.', true)).toContain('create_ticket failed')
})

test('a tool that is not offered is not called', () => {
  expect(step('Open a ticket: no paper', [LOAD]).calls).toEqual([])
})
