// Nothing is said twice or lost: the page's parser reads the same frames however the network cut them.

import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { expect, it } from 'vitest'

import { frameParser } from '../../../src/web/assets/sse.js'

const WIRE =
  'retry: 2000\n\n: ping\n\nid: 1\nevent: text.delta\ndata: {"text":"ä👋"}\n\n' +
  'id: 2\r\nevent: x\r\ndata: {}\r\ndata: {}\r\n\r\nevent: empty\n\ndata:no space\rid: 3\r\rdata: unfinished'

function split(text: string, cuts: readonly number[]): string[] {
  const ends = [...cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b), text.length]
  return ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end))
}

it('gives whole frames and nothing of an unfinished one', () => {
  expect(frameParser()(WIRE)).toEqual([
    { event: 'text.delta', id: '1', data: '{"text":"ä👋"}' },
    { event: 'x', id: '2', data: '{}\n{}' },
    { event: 'message', id: '3', data: 'no space' },
  ])
})

it('gives the same frames wherever the stream is cut', () => {
  const whole = frameParser()(WIRE)
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 20 }), (cuts) => {
      const parse = frameParser()
      expect(split(WIRE, cuts).flatMap((chunk) => parse(chunk))).toEqual(whole)
    }),
  )
})

it('reads any lines as a parser of the standard does', () => {
  const line = fc.constantFrom(
    'data: a',
    'data:b',
    'data',
    'event: e',
    'id: 7',
    ': c',
    'other: x',
    '',
    '',
    '',
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const wire = lines.map((one) => `${one}\n`).join('')
      const expected: { event: string; data: string }[] = []
      createParser({ onEvent: ({ event = 'message', data }) => expected.push({ event, data }) }).feed(wire)
      expect(frameParser()(wire).map(({ event, data }) => ({ event, data }))).toEqual(expected)
    }),
  )
})
