// Guards the filter of a hook: it passes exactly the deliveries that meet its conditions, whatever their bodies contain.
import { describe, expect, it } from 'vitest'
import { filterProblems, whyFiltered } from '../../../src/webhooks/filter.ts'
import type { FilterCondition } from '../../../src/webhooks/filter.ts'
import { keptHeaders } from '../../../src/webhooks/kept-headers.ts'
import { renderPlain } from '../../../src/webhooks/template.ts'

const HEADERS = { 'X-GitHub-Event': 'issues' }
const BODY = JSON.stringify({
  action: 'opened',
  issue: { number: 7, labels: ['bug', 'p1'], draft: false, note: null },
  'a/b': 'c',
})

const passes = (condition: FilterCondition, body = BODY): boolean =>
  whyFiltered({ all: [condition] }, HEADERS, body) === null

describe('a condition', () => {
  it.each<[FilterCondition, boolean]>([
    [{ pointer: '/action', equals: 'opened' }, true],
    [{ pointer: '/action', equals: 'closed' }, false],
    [{ pointer: '/issue/number', equals: 7 }, true],
    [{ pointer: '/issue/number', equals: '7' }, false],
    [{ pointer: '/issue/labels', equals: ['bug', 'p1'] }, true],
    [{ pointer: '/issue/draft', equals: false }, true],
    [{ pointer: '/issue/note', equals: null }, true],
    [{ pointer: '/issue/gone', equals: null }, false],
    [{ pointer: '/a~1b', equals: 'c' }, true],
    [{ pointer: '/action', in: ['edited', 'opened'] }, true],
    [{ pointer: '/action', in: ['edited'] }, false],
    [{ pointer: '/action', matches: '^open' }, true],
    [{ pointer: '/action', matches: '^pen' }, false],
    [{ pointer: '/issue/labels', matches: '"p[01]"' }, true],
    [{ pointer: '/issue/labels/1', matches: '^p[01]$' }, true],
    [{ pointer: '/issue', exists: true }, true],
    [{ pointer: '/issue/note', exists: true }, false],
    [{ pointer: '/issue/note', exists: false }, true],
    [{ pointer: '/constructor', exists: true }, false],
    [{ pointer: '/action/length', exists: true }, false],
    [{ header: 'x-github-event', equals: 'issues' }, true],
    [{ header: 'X-GITHUB-EVENT', in: ['issues'] }, true],
    [{ header: 'x-other', exists: false }, true],
    [{ header: 'x-other', matches: '' }, false],
  ])('%j is met: %s', (condition, expected) => {
    expect(passes(condition)).toBe(expected)
  })

  it.each(['', 'not json', '[', '['.repeat(100), '"text"'])('has no value in the body %j', (body) => {
    expect(passes({ pointer: '/action', equals: 'opened' }, body)).toBe(false)
    expect(passes({ pointer: '/action', exists: false }, body)).toBe(true)
  })

  it('is matched in linear time against a limited part of the value', () => {
    const body = JSON.stringify({ text: `${'a'.repeat(60_000)}!` })
    expect(passes({ pointer: '/text', matches: '^(a+)+$' }, body)).toBe(false)
    expect(passes({ pointer: '/text', matches: 'z' }, JSON.stringify({ text: `${'a'.repeat(1e5)}z` }))).toBe(
      false,
    )
  })
})

describe('a filter', () => {
  const opened = { pointer: '/action', equals: 'opened' } as const
  const closed = { pointer: '/action', equals: 'closed' } as const

  it('needs all of its conditions, or any, and says which one is not met', () => {
    expect(whyFiltered(null, {}, BODY)).toBeNull()
    expect(whyFiltered({ all: [opened, closed] }, {}, BODY)).toBe(
      'This condition is not met: /action equals "closed".',
    )
    expect(whyFiltered({ any: [closed, opened] }, {}, BODY)).toBeNull()
    expect(whyFiltered({ any: [closed, { header: 'x-kind', exists: true }] }, {}, BODY)).toBe(
      'No condition is met: /action equals "closed"; the header x-kind exists.',
    )
  })

  it('is refused with the path of an invalid pattern', () => {
    expect(filterProblems({ all: [opened, { pointer: '/a', matches: '(' }] })).toEqual([
      { path: 'filter.all[1].matches', message: expect.stringMatching(/^is not a valid pattern: missing/) },
    ])
    expect(filterProblems({ any: [{ pointer: '/a', matches: '(?:(?:a{99}){9}){9}' }] })).toEqual([
      { path: 'filter.any[0].matches', message: expect.stringMatching(/too complex|valid pattern/) },
    ])
    expect(filterProblems({ any: [{ pointer: '/a', matches: '^v\\d+$' }] })).toEqual([])
  })
})

describe('the key of a thread', () => {
  it.each([
    ['{{issue.number}}', '7'],
    ['issue {{issue.number}} {{action}}', 'issue 7 opened'],
    ['{{issue.labels}}', '["bug","p1"]'],
    ['issue {{issue.gone}}', ''],
    ['{{issue.gone}}{{issue.number}}', '7'],
  ])('%j gives %j', (template, key) => {
    expect(renderPlain(template, BODY)).toBe(key)
  })

  it('is empty for a body that is not JSON', () => {
    expect(renderPlain('issue {{issue.number}}', 'not json')).toBe('')
  })
})

describe('the kept headers', () => {
  it('have no secrets, no network, and a limited size', () => {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: 'Bearer abc',
      'X-Hub-Signature-256': 'sha256=abc',
      'x-gitlab-token': 'abc',
      'x-mac': 'abc',
      Cookie: 'a=abc',
      'cf-connecting-ip': '192.0.2.1',
      'x-long': 'x'.repeat(5_000),
    }
    const kept = keptHeaders(headers, 'X-Mac')
    expect(kept).toEqual({
      'content-type': 'application/json',
      authorization: '***',
      'x-hub-signature-256': '***',
      'x-gitlab-token': '***',
      'x-mac': '***',
      cookie: '***',
      'x-long': expect.stringMatching(/^x{1,512}/),
    })
    expect(kept['x-long']?.length).toBeLessThanOrEqual(512)
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}`, 'x'.repeat(400)]))
    expect(JSON.stringify(keptHeaders(many, null)).length).toBeLessThanOrEqual(16_384)
  })
})
