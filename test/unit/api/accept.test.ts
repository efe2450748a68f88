// Guards the choice between a JSON answer and a stream: the client gets the type to which its Accept header gives more
// weight.

import { describe, expect, it } from 'vitest'
import { prefersJson } from '../../../src/api/streams/accept.ts'

const JSON_WINS = [
  'application/json',
  'APPLICATION/JSON',
  ' application/json ; charset=utf-8',
  'application/*',
  'application/json, */*',
  'application/*, */*',
  'application/json, text/plain, */*',
  'application/json;q=0.5, text/event-stream;q=0.4',
  'application/json, text/event-stream;q=0',
  'application/json, text/event-stream;q=2',
  'application/json, text/event-stream;q=x',
]

const STREAM_WINS = [
  undefined,
  '',
  '*/*',
  'text/event-stream',
  'text/*',
  'text/html',
  'text/event-stream, application/json',
  'application/json, text/event-stream',
  'application/json;q=0.1, */*',
  'application/json;q=0',
  'application/json;q=0, */*;q=0.1',
]

describe('an Accept header', () => {
  it.each(JSON_WINS)('asks for JSON as %s', (accept) => expect(prefersJson(accept)).toBe(true))
  it.each(STREAM_WINS)('asks for a stream as %s', (accept) => expect(prefersJson(accept)).toBe(false))
})
