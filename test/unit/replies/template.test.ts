// Promise: a reply says what its template says. Text from an answer or a payload notifies nobody, runs no command, and
// is not expanded again; the hook recognizes its own reply.

import { describe, expect, it } from 'vitest'

import { hasMark, replyMark } from '../../../src/replies/marker.ts'
import { neutralized } from '../../../src/replies/neutralize.ts'
import { checkReply, fillReply, valuesBelow } from '../../../src/replies/template.ts'

const visible = (text: string): string => text.replaceAll('\u200B', '|')

describe('a text in a reply', () => {
  it.each([
    ['Ask @team or @org/team.', 'Ask @|team or @|org/team.'],
    ['_@team_ \\@team (@team)', '_@|team_ \\@|team (@|team)'],
    ['&#64;team &#x40;team &commat;team', '&#64;|team &#x40;|team &commat;|team'],
    ['Write to ann@example.com.', 'Write to ann@example.com.'],
    [
      '<!channel> <@U1> <!subteam^S1> <https://a.example>',
      '<|!channel> <@|U1> <|!subteam^S1> <https://a.example>',
    ],
    ['/close\n  /assign @me\r\nsee a/b', '|/close\n  |/assign @|me\r\nsee a/b'],
    ['1/2 and /close', '1/2 and /close'],
  ])('%j is harmless', (text, harmless) => {
    expect(visible(neutralized(text)).replaceAll('<|@|', '<@|')).toBe(harmless)
  })

  it('of 60,000 line breaks or spaces is checked at once', () => {
    for (const sign of ['\n', ' ', '@', '<'])
      expect(neutralized(sign.repeat(60_000)).length).toBeGreaterThan(59_999)
  })
})

const template = {
  tool: 'comment',
  input: {
    number: '{{payload.issue.number}}',
    body: 'For <@{{payload.user}}>:\n{{answer}}',
    list: ['{{run.id}}', 7],
  },
  start: null,
}

describe('a template', () => {
  it('gets numbers as numbers, texts once, and the mark before the answer', () => {
    const payload = { issue: { number: 12 }, user: 'U1 @all {{answer}}' }
    const values = valuesBelow('payload', [template], payload)
    const filled = fillReply(
      template.input,
      { ...values, answer: '{{payload.user}} @team', 'run.id': 'run_1' },
      'MARK',
    )
    expect(filled).toEqual({
      ok: true,
      value: {
        number: 12,
        body: 'MARKFor <@U1 @\u200Ball {{answer}}>:\n{{payload.user}} @\u200Bteam',
        list: ['run_1', 7],
      },
    })
  })

  it('without one of its values is not sent', () => {
    const values = valuesBelow('payload', [template], { issue: [] })
    expect(fillReply(template.input, { ...values, answer: 'x', 'run.id': 'r' }, '')).toMatchObject({
      error: '{{payload.issue.number}} has no value',
    })
  })

  it('takes the first of several placeholders that has a value', () => {
    const input = { ts: '{{payload.thread_ts | payload.ts}}', text: 'In {{payload.name|run.id}}: {{answer}}' }
    const filled = (payload: object): unknown => {
      const values = valuesBelow('payload', [{ tool: 't', input }], payload)
      return fillReply(input, { ...values, answer: 'x', 'run.id': 'r' }, '')
    }
    expect(checkReply({ ...template, input })).toBeNull()
    expect(filled({ ts: '1', thread_ts: '2', name: 'A' })).toMatchObject({
      value: { ts: '2', text: 'In A: x' },
    })
    expect(filled({ ts: '1' })).toMatchObject({ value: { ts: '1', text: 'In r: x' } })
    expect(filled({})).toMatchObject({ error: '{{payload.thread_ts | payload.ts}} has no value' })
  })

  it.each([
    '{{payload.a | input.x}}',
    '{{payload.a |}}',
    '{{payload}}',
    '{{secrets.X}}',
    '{{start.ts}}',
    '{{input.x}}',
    '{{}}',
  ])('refuses %s', (text) => {
    expect(checkReply({ ...template, input: { text } })).toMatchObject({ path: 'reply.input' })
  })

  it('refuses an answer before there is one', () => {
    const start = { tool: 'post', input: { text: '{{answer}}' } }
    expect(checkReply({ ...template, start })).toMatchObject({ path: 'reply.start.input' })
    expect(
      checkReply({ ...template, input: { ts: '{{start.ts}}' }, start: { ...start, input: {} } }),
    ).toBeNull()
  })

  it('reads only own properties of a payload', () => {
    const input = { a: '{{payload.constructor.name}}', b: '{{payload.list.length}}' }
    expect(valuesBelow('payload', [{ tool: 't', input }], { list: [1] })).toEqual({
      'payload.list.length': 1,
    })
  })
})

describe('the mark of a hook', () => {
  it('is found in its own reply, however JSON escapes it, and not in a quotation or another hook’s reply', async () => {
    const [mark, other] = [await replyMark('hk_a'), await replyMark('hk_b')]
    const escaped = (text: string): string =>
      text.replace(/[^\x20-\x7E]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const body = JSON.stringify({ comment: { body: `Bot: ${mark}Done.` } })
    expect(hasMark(body, mark)).toBe(true)
    expect(hasMark(escaped(body), mark)).toBe(true)
    expect(hasMark(body, other)).toBe(false)
    expect(hasMark(JSON.stringify({ body: `> ${mark}Done.\n\nThanks!` }), mark)).toBe(false)
    expect(hasMark(JSON.stringify({ body: `&gt; ${mark}Done.` }), mark)).toBe(false)
    expect(hasMark(`plain ${mark}`, mark)).toBe(true)
    expect(mark).toMatch(/^[\u200B-\u200D\u2060]{24}$/u)
  })
})
