// Guards the definition of an HTTP tool: it is checked whole before it is stored, an error names its field, an omitted
// field has a documented default, and no input chooses where a request goes.

import { describe, expect, it } from 'vitest'
import {
  definitionDigest,
  interfaceDigest,
  parseDefinition,
  specOf,
} from '../../../../src/tools/http/definition.ts'
import type { HttpToolDefinition } from '../../../../src/tools/http/shape.ts'

const TICKET = {
  name: 'get_ticket',
  description: 'Reads one ticket.',
  input_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  request: { method: 'GET', url: 'https://api.example.com/tickets/{{input.id}}' },
}

function parsed(json: unknown): HttpToolDefinition {
  const result = parseDefinition(json)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/** `path message` of each error. */
function errors(json: unknown, terms = {}): readonly string[] {
  const result = parseDefinition(json, terms)
  if (result.ok) return []
  expect(result.error.code).toBe('invalid_tool')
  return (result.error.errors ?? []).map(({ path, message }) => `${path} ${message}`)
}

function withRequest(request: object, rest: object = {}): object {
  return { ...TICKET, ...rest, request: { ...TICKET.request, ...request } }
}

function withProperty(schema: unknown): object {
  return { ...TICKET, input_schema: { type: 'object', properties: { id: schema } } }
}

describe('a definition', () => {
  it('gets every default', () => {
    expect(parsed(TICKET)).toEqual({
      ...TICKET,
      request: { ...TICKET.request, query: {}, headers: {}, body: null, body_type: 'json' },
      effect: 'read',
      approval: { ask: 'never' },
      group: null,
      timeout_s: 30,
      response: { max_chars: null, pick: [] },
      request_secrets: [],
    })
    expect(specOf(parsed(TICKET))).toEqual({
      name: TICKET.name,
      description: TICKET.description,
      input_schema: TICKET.input_schema,
    })
  })

  it('is accepted again in its output form', () => {
    expect(parsed(parsed(TICKET))).toEqual(parsed(TICKET))
  })

  it.each([
    ['GET', 'read', 'never'],
    ['HEAD', 'read', 'never'],
    ['PUT', 'idempotent', 'always'],
    ['DELETE', 'idempotent', 'always'],
    ['POST', 'once', 'always'],
    ['PATCH', 'once', 'always'],
  ])('with %s has the effect %s and asks %s by default', (method, effect, ask) => {
    expect(parsed(withRequest({ method }))).toMatchObject({ effect, approval: { ask } })
  })

  it('accepts a JSON body, one that is entirely an input, and a text', () => {
    const type = (body: unknown): string => parsed(withRequest({ method: 'POST', body })).request.body_type
    expect([type({ a: 1 }), type('{{input.id}}'), type('hello {{input.id}}')]).toEqual([
      'json',
      'json',
      'text',
    ])
  })

  it.each<readonly [string, object, string]>([
    ['no name', { ...TICKET, name: '1 x' }, 'name must begin with a letter'],
    ['an unknown field', { ...TICKET, colour: 'red' }, 'colour is not a field'],
    [
      'a host by template',
      withRequest({ url: 'https://{{input.id}}.example.com/' }),
      'request.url must not have a template in its host',
    ],
    [
      'a scheme by template',
      withRequest({ url: '{{input.id}}://example.com/' }),
      'request.url must begin with https',
    ],
    ['a file', withRequest({ url: 'file:///etc/passwd' }), 'request.url must begin with https'],
    [
      'credentials',
      withRequest({ url: 'https://me:you@example.com/' }),
      'request.url must not contain credentials',
    ],
    [
      'a template that ends the host',
      withRequest({ url: 'https://example.com{{input.id}}' }),
      'request.url must not have a template in its host',
    ],
    [
      'a backslash before the path',
      withRequest({ url: 'https://example.com\\@evil.example/' }),
      'request.url must be written',
    ],
    [
      'a .. segment',
      withRequest({ url: 'https://example.com/a/%2E./b' }),
      'request.url must not have . or ..',
    ],
    ['a fragment', withRequest({ url: 'https://example.com/#a' }), 'request.url must not have a fragment'],
    [
      'a secret in the URL',
      withRequest({ url: 'https://example.com/?k={{secrets.KEY}}' }),
      'request.url may not contain {{secrets.KEY}}',
    ],
    [
      'a secret in the query',
      withRequest({ query: { k: '{{secrets.KEY}}' } }),
      'request.query.k may not contain',
    ],
    [
      'a secret in the body',
      withRequest({ method: 'POST', body: { k: ['{{secrets.KEY}}'] } }),
      'request.body.k.0 may not contain',
    ],
    [
      'a missing input',
      withRequest({ query: { q: '{{input.other}}' } }),
      'request.query.q uses {{input.other}}',
    ],
    ['half a placeholder', withRequest({ query: { q: '{{input.id' } }), 'request.query.q has "{{"'],
    [
      'another root',
      withRequest({ query: { q: '{{env.KEY}}' } }),
      'request.query.q has a malformed placeholder',
    ],
    [
      'a reserved header',
      withRequest({ headers: { Host: 'evil.example' } }),
      'request.headers.Host is set by',
    ],
    [
      'a header with a line break',
      withRequest({ headers: { a: 'b\r\nc: d' } }),
      'request.headers.a must be visible ASCII',
    ],
    [
      'a body with a method without one',
      withRequest({ body: { a: 1 } }),
      'request.body cannot be sent with GET',
    ],
    [
      'an invalid form',
      withRequest({ method: 'POST', body: { a: [1] }, body_type: 'form' }),
      'request.body must be an object of strings',
    ],
    [
      'JSON as a text that an input could break out of',
      withRequest({
        method: 'POST',
        body: '{"to":"ops","text":"{{input.id}}"}',
        headers: { 'content-type': 'application/json' },
      }),
      'request.body looks like JSON or a form inside a string',
    ],
    ...(
      [
        ['JSON', { body: '{"to":"ops","text":"{{input.id}}"}' }],
        ['JSON with a comma too many', { body: ' {"to": "ops", "text": "{{input.id}}",}\n' }],
        ['a number in JSON', { body: '{"to":"ops","n":{{input.id}}}' }],
        ['a list', { body: '["ops","{{input.id}}"]' }],
        ['a line of JSON', { body: '{"index":{}}\n{"to":"ops","text":"{{input.id}}"}\n' }],
        ['JSON behind a label', { body: 'payload={"to":"ops","text":"{{input.id}}"}' }],
        ['a form', { body: 'to=ops&text={{input.id}}' }],
        ['a field of a form', { body: 'text={{input.id}}!' }],
        [
          'parts of a form',
          {
            body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n{{input.id}}\r\n--x--',
            headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
          },
        ],
      ] as const
    ).map(
      ([what, request]) =>
        [
          `${what} as a text, whatever its type`,
          withRequest({ method: 'POST', ...request }),
          'request.body looks like JSON or a form inside a string',
        ] as const,
    ),
    ...(
      [
        ['request.body.payload', { body: { payload: '{"to":"ops","text":"{{input.id}}"}' } }],
        [
          'request.body.payload',
          { body: { payload: '{"to":"ops","text":"{{input.id}}"}' }, body_type: 'form' },
        ],
        ['request.body.search', { body: { search: 'owner=me&q={{input.id}}' } }],
        ['request.query.filter', { query: { filter: '{"owner":"me","q":"{{input.id}}"}' } }],
        ['request.headers.X-Arg', { headers: { 'X-Arg': '{"path":"/in/{{input.id}}"}' } }],
        [
          'request.url',
          { url: 'https://a.example/?f=%7B%22owner%22:%22me%22,%22q%22:%22{{input.id}}%22%7D&x=1' },
        ],
      ] as const
    ).map(
      ([path, request]) =>
        [
          `JSON or a form in a text of ${path} (${JSON.stringify(request).length})`,
          withRequest({ method: 'POST', ...request }),
          `${path} is JSON or a form inside a string`,
        ] as const,
    ),
    [
      'an input as the content type',
      withRequest({ method: 'POST', body: 'hello', headers: { 'content-type': '{{input.id}}' } }),
      'request.headers.content-type must not contain an input',
    ],
    [
      'a request secret that nothing uses',
      { ...TICKET, request_secrets: ['KEY'] },
      'request_secrets names KEY',
    ],
    [
      'a rule without a condition',
      { ...TICKET, approval: { ask: 'match' } },
      'approval.when must name at least one',
    ],
    ...[{}, { matches: 'a', minimum: 1 }, { minimum: 2, maximum: 1 }, { minimum: '1000' }].map(
      (condition) =>
        [
          `a condition that says ${JSON.stringify(condition)}`,
          { ...TICKET, approval: { ask: 'match', when: [{ field: '/id', ...condition }] } },
          'approval.when.0',
        ] as const,
    ),
    [
      'a pattern that only backtracks',
      { ...TICKET, approval: { ask: 'match', when: [{ field: '/id', matches: '(?=a)' }] } },
      'approval.when.0.matches must be a pattern in RE2 syntax',
    ],
  ])('is refused with %s', (_, json, output) => {
    expect(errors(json).join('\n')).toContain(output)
  })

  it.each([
    [{ body: 'Done [{{input.id}}], see {"a": 1}.' }],
    [{ body: '{{input.id}}' }],
    [{ body: 'Is 1+1={{input.id}} & all?' }],
    [{ body: { text: 'state={{input.id}}', link: 'https://a.example/?a=1&id={{input.id}}' } }],
    [{ body: { payload: '{{input.id}}' }, body_type: 'form' }],
    [{ body: '{"to":"ops"}' }],
    [{ body: 'query { user(id: "{{input.id}}") { name } }' }],
    [{ url: 'https://a.example/%7Bx%7D/{{input.id}}?q=is:open+{{input.id}}' }],
  ])('may contain an input in a text that is neither JSON nor a form: %j', (request) => {
    expect(errors(withRequest({ method: 'POST', ...request }))).toEqual([])
  })

  it('names every fault at once', () => {
    expect(errors(withRequest({ headers: { Host: 'x' }, query: { q: '{{input.other}}' } }))).toHaveLength(2)
  })

  it('may have a secret in its URL if the operator allows it', () => {
    const json = withRequest({ url: 'https://example.com/?k={{secrets.KEY}}' })
    expect(errors(json, { secretsInUrl: true })).toEqual([])
  })

  it('of more than 64 KiB is refused', () => {
    expect(errors({ ...TICKET, extra: 'x'.repeat(70_000) }).join()).toContain('the limit is 65536')
  })
})

describe('an input schema', () => {
  it.each<readonly [string, object, string]>([
    [
      'a union at the top',
      { ...TICKET, input_schema: { type: 'object', anyOf: [] } },
      'input_schema.anyOf is not accepted',
    ],
    [
      'a name that the API refuses',
      { ...TICKET, input_schema: { type: 'object', properties: { 'a.b': {} } } },
      'input_schema.properties.a.b must be a name',
    ],
    [
      'a $ref to nowhere',
      withProperty({ $ref: '#/$defs/none' }),
      'input_schema.properties.id.$ref must refer to an existing target',
    ],
    [
      'a $ref to elsewhere',
      withProperty({ $ref: 'https://example.com/s.json' }),
      'input_schema.properties.id.$ref must refer to an existing target',
    ],
    [
      'a recursive schema',
      withProperty({ type: 'object', properties: { more: { $ref: '#/properties/id' } } }),
      'input_schema has a $ref that leads back',
    ],
    [
      'a pattern that only backtracks',
      withProperty({ pattern: '(a+)+\\1' }),
      'input_schema.properties.id.pattern must be a pattern',
    ],
    [
      'patterns of names',
      withProperty({ patternProperties: {} }),
      'input_schema.properties.id.patternProperties is not supported',
    ],
  ])('is refused with %s', (_, json, output) => {
    expect(errors(json).join('\n')).toContain(output)
  })

  it('may reference a part twice, unless the checks would double at each of many steps', () => {
    const twice = (to: string): object => ({ anyOf: [{ $ref: `#/$defs/${to}` }, { $ref: `#/$defs/${to}` }] })
    const steps = (count: number): object => ({
      ...TICKET,
      input_schema: {
        type: 'object',
        properties: { id: twice('s0') },
        $defs: Object.fromEntries(
          Array.from({ length: count }, (__, at) => [`s${at}`, at === count - 1 ? {} : twice(`s${at + 1}`)]),
        ),
      },
    })
    expect(errors(steps(4))).toEqual([])
    expect(errors(steps(60)).join()).toContain('input_schema is too large')
  })
})

describe('the digests of a definition', () => {
  it('distinguish a change for the model from a change of the call', async () => {
    const one = parsed(TICKET)
    const moved = parsed(withRequest({ url: 'https://other.example.com/{{input.id}}' }))
    const acting = parsed({ ...TICKET, effect: 'once' })
    expect(await interfaceDigest(moved)).toBe(await interfaceDigest(one))
    expect(await definitionDigest(moved)).not.toBe(await definitionDigest(one))
    expect(await interfaceDigest(acting)).not.toBe(await interfaceDigest(one))
  })
})
