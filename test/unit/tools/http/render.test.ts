// Guards templates: an inserted value never leaves its place in the template, whether in a path, a query, a header, a
// form or JSON, and is never read as a template again.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderRequest, type Rendered } from '../../../../src/tools/http/render.ts'
import { definitionOf } from './tool-rig.ts'

const ANY = { type: 'object', properties: { a: {}, b: {} } }

function rendered(request: object, input: unknown): Rendered {
  const result = renderRequest(
    definitionOf({ name: 't', description: 'd', input_schema: ANY, request }),
    input,
  )
  if (!result.ok) throw new Error(result.error)
  return result.value
}

function fault(request: object, input: unknown): string {
  const result = renderRequest(
    definitionOf({ name: 't', description: 'd', input_schema: ANY, request }),
    input,
  )
  return result.ok ? '' : result.error
}

const url = (template: string, input: unknown): string =>
  rendered({ method: 'GET', url: template }, input).preview.url
const post = (request: object, input: unknown): string | null =>
  rendered({ method: 'POST', url: 'https://x.example/', ...request }, input).preview.body

describe('an input in a path', () => {
  it.each([
    ['../admin', '..%2Fadmin'],
    ['a?b#c', 'a%3Fb%23c'],
    ['%2e%2e', '%252e%252e'],
    ['a\\b', 'a%5Cb'],
    ['@evil.example', '%40evil.example'],
    [7, '7'],
    ['grün', 'gr%C3%BCn'],
    ['{{input.b}}', '%7B%7Binput.b%7D%7D'],
  ])('%j stays one segment', (a, step) => {
    expect(url('https://x.example/v1/{{input.a}}/end', { a, b: 'no' })).toBe(
      `https://x.example/v1/${step}/end`,
    )
  })

  it.each([['.'], ['..']])('%j is refused, because no encoding makes it a name', (a) => {
    expect(fault({ method: 'GET', url: 'https://x.example/v1/{{input.a}}/end' }, { a })).toContain(
      'lead to a different path',
    )
  })

  it('cannot form such a segment out of two harmless parts', () => {
    const request = { method: 'GET', url: 'https://x.example/v1/{{input.a}}{{input.b}}/end' }
    expect(fault(request, { a: '.', b: '.' })).toContain('lead to a different path')
  })

  it('is required', () => {
    expect(fault({ method: 'GET', url: 'https://x.example/{{input.a}}' }, {})).toContain('a is missing')
  })

  it('never changes host, number of segments or query, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (a) => {
        if (a === '.' || a === '..') return
        const target = new URL(url('https://x.example/one/{{input.a}}/two?k={{input.a}}', { a }))
        const kept = [target.host, target.pathname.split('/').length, [...target.searchParams], target.hash]
        expect(kept).toEqual(['x.example', 4, [['k', a.toWellFormed()]], ''])
      }),
    )
  })
})

describe('a query', () => {
  const query = { q: '{{input.a}}', both: 'x {{input.b}} y' }
  const of = (input: unknown): string =>
    rendered({ method: 'GET', url: 'https://x.example/s?z=1', query }, input).preview.url

  it('is encoded field by field', () => {
    expect(of({ a: 'a&b=c#d', b: 'ü' })).toBe('https://x.example/s?z=1&q=a%26b%3Dc%23d&both=x%20%C3%BC%20y')
  })

  it('omits missing values and repeats a list', () => {
    expect(of({ b: 1 })).not.toContain('q=')
    expect(of({ a: ['1', 2], b: 1 })).toContain('q=1&q=2')
  })
})

describe('a header', () => {
  const request = {
    method: 'GET',
    url: 'https://x.example/',
    headers: { 'X-Mark': '{{input.a}}', 'X-Two': 'v {{input.b}}' },
  }

  it.each([['a\r\nX-Evil: 1'], ['a\nb'], ['a\u0000'], ['ü']])('accepts no %j', (a) => {
    expect(fault(request, { a, b: '' })).toContain('X-Mark accepts only visible ASCII')
  })

  it('is omitted if its only input is missing', () => {
    const { headers } = rendered(request, { b: 'x' }).preview
    expect(headers).toEqual({ Accept: expect.any(String), 'X-Two': 'v x' })
  })
})

describe('a body', () => {
  it('is filled as JSON, with the values themselves where a text is one input', () => {
    const body = { one: '{{input.a}}', text: 'say {{input.b}}', list: ['{{input.a}}', 'x'], fixed: 1 }
    expect(JSON.parse(post({ body }, { a: { n: [1, null] }, b: '"quoted", ok' }) ?? '')).toEqual({
      one: { n: [1, null] },
      text: 'say "quoted", ok',
      list: [{ n: [1, null] }, 'x'],
      fixed: 1,
    })
  })

  it('omits missing values, and is itself omitted if it is one', () => {
    expect(post({ body: { one: '{{input.a}}', list: ['{{input.a}}'] } }, {})).toBe('{"list":[]}')
    expect(post({ body: '{{input.a}}' }, {})).toBeNull()
  })

  it('as a form is encoded field by field', () => {
    expect(
      post(
        { body: { a: '{{input.a}}', b: '{{input.b}}' }, body_type: 'form' },
        { a: 'x&b=evil', b: ['1', '2'] },
      ),
    ).toBe('a=x%26b%3Devil&b=1&b=2')
  })

  it('is never read as a template again', () => {
    expect(
      post({ body: { a: '{{input.a}}', t: '> {{input.a}}' } }, { a: '{{secrets.KEY}}{{input.b}}', b: 'no' }),
    ).toBe('{"a":"{{secrets.KEY}}{{input.b}}","t":"> {{secrets.KEY}}{{input.b}}"}')
  })

  it('cannot reach inherited properties', () => {
    expect(post({ body: { a: '{{input.a.constructor}}', b: '{{input.a.__proto__}}' } }, { a: {} })).toBe('{}')
  })
})

describe('secrets', () => {
  it('are shown by their names, and are only in the sent request', () => {
    const result = rendered(
      { method: 'GET', url: 'https://x.example/', headers: { Authorization: 'Bearer {{secrets.KEY}}' } },
      {},
    )
    expect(result.secrets).toEqual(['KEY'])
    expect(result.preview.headers['Authorization']).toBe('Bearer {{secrets.KEY}}')
    const sent = result.outgoing(new Map([['KEY', 'abc']]))
    expect(sent.ok && sent.value.headers['Authorization']).toBe('Bearer abc')
  })
})
