// Guards importing OpenAPI 3: an operation becomes a tool with the request that the document describes, independently
// of the others, and an invalid one is refused with its reason, whatever the document contains.

import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { Outgoing } from '../../../../src/net/fetch.ts'
import {
  importOpenApi,
  type Imported,
  type ImportOptions,
} from '../../../../src/tools/http/openapi/import.ts'
import { renderRequest } from '../../../../src/tools/http/render.ts'
import { checkInput } from '../../../../src/tools/http/check-input.ts'

function imported(document: unknown, options: ImportOptions = {}, taken: readonly string[] = []): Imported {
  const result = importOpenApi(JSON.stringify(document), options, new Set(taken))
  if (!result.ok) throw new Error(result.error.detail)
  return result.value
}

function documentOf(paths: object, more: object = {}): object {
  return {
    openapi: '3.0.3',
    info: { title: 't', version: '1' },
    servers: [{ url: 'https://api.example.com/v1/' }],
    paths,
    ...more,
  }
}

const OK = { responses: { 200: { description: 'ok' } } }

/** The request that the tool would send. */
function sent({ tools }: Imported, name: string, input: unknown): Outgoing {
  const tool = tools.find(({ definition }) => definition.name === name)
  if (!tool) throw new Error(`no ${name} among ${tools.map(({ definition }) => definition.name).join()}`)
  const fit = checkInput(tool.definition.input_schema, input)
  if (!fit.ok) throw new Error(fit.error)
  const made = renderRequest(tool.definition, fit.value)
  if (!made.ok) throw new Error(made.error)
  const outgoing = made.value.outgoing(new Map(made.value.secrets.map((secret) => [secret, `<${secret}>`])))
  if (!outgoing.ok) throw new Error(outgoing.error)
  return outgoing.value
}

describe('an operation', () => {
  const pets = documentOf(
    {
      '/pets/{petId}/notes': {
        parameters: [{ $ref: '#/components/parameters/pet' }],
        get: {
          ...OK,
          operationId: 'notes.list',
          summary: 'Lists notes',
          tags: ['notes'],
          parameters: [
            {
              name: 'page[size]',
              in: 'query',
              schema: { type: 'integer', minimum: 0, exclusiveMinimum: true },
            },
            { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
            {
              name: 'ids',
              in: 'query',
              explode: false,
              schema: { type: 'array', items: { type: 'string' } },
            },
            { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
            { name: 'X-HTTP-Method-Override', in: 'header', schema: { type: 'string' } },
            { name: '_method', in: 'query', schema: { type: 'string' } },
          ],
        },
        post: {
          ...OK,
          operationId: 'notes.add',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
          },
          security: [{ bearerAuth: [] }],
        },
        put: { ...OK, requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } } },
      },
    },
    {
      components: {
        parameters: { pet: { name: 'petId', in: 'path', required: true, schema: { type: 'string' } } },
        schemas: {
          Note: {
            type: 'object',
            required: ['id', 'text'],
            properties: {
              id: { type: 'string', readOnly: true },
              text: { type: 'string', nullable: true },
              parent: { $ref: '#/components/schemas/Note' },
            },
          },
        },
        securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
      },
    },
  )

  it('gets its parameters by names that the API accepts, and puts each in its place', () => {
    const { url, headers, method } = sent(imported(pets), 'notes_list', {
      petId: 'a/b',
      page_size: 3,
      tag: ['x', 'y z'],
      ids: '1,2',
      'X-Trace': 't',
    })
    expect([method, url]).toEqual([
      'GET',
      'https://api.example.com/v1/pets/a%2Fb/notes?page%5Bsize%5D=3&tag=x&tag=y%20z&ids=1%2C2',
    ])
    expect(headers['X-Trace']).toBe('t')
    // These headers would change the meaning of the request.
    expect(JSON.stringify(imported(pets).tools.map(({ definition }) => definition))).not.toMatch(
      /override|_method/i,
    )
  })

  it('gets its body as one field, without read-only properties, and its credentials', () => {
    const { url, headers, body } = sent(imported(pets), 'notes_add', {
      petId: '1',
      body: { text: null, parent: { id: 9 } },
    })
    expect([url, headers['Authorization'], body]).toEqual([
      'https://api.example.com/v1/pets/1/notes',
      'Bearer <BEARER_AUTH>',
      '{"text":null,"parent":{"id":9}}',
    ])
  })

  it('without an ID is named by its method and path, and its effect is that of its method', () => {
    const { definition } = imported(pets).tools[2] ?? {}
    expect(definition).toMatchObject({
      name: 'put_pets_petId_notes',
      effect: 'idempotent',
      approval: { ask: 'always' },
    })
  })

  it('reports recursive schemas and which secret to store', () => {
    const { notes } = imported(pets).tools[1] ?? {}
    expect(notes).toEqual([
      '#/components/schemas/Note refers to itself, so its inner levels accept any value.',
      'Store the secret BEARER_AUTH.',
    ])
  })

  it('is the same from YAML', () => {
    const result = importOpenApi(stringify(pets), {}, new Set())
    expect(result.ok && result.value).toEqual(imported(pets))
  })

  it.each<readonly [string, ImportOptions, readonly string[], readonly string[]]>([
    ['id', { operations: ['notes.add', 'none'] }, ['notes_add'], ['none']],
    ['tag', { tags: ['notes'] }, ['notes_list'], []],
    ['method and path', { paths: ['PUT /pets/*/notes', '/none/**'] }, ['put_pets_petId_notes'], ['/none/**']],
    ['path', { paths: ['/pets/**'] }, ['notes_list', 'notes_add', 'put_pets_petId_notes'], []],
  ])('can be selected by its %s', (_, options, names, unknown) => {
    const { tools, unmatchedSelectors: nowhere } = imported(pets, options)
    expect([tools.map(({ definition }) => definition.name), nowhere]).toEqual([names, unknown])
  })

  it('uses the server and the headers of the import', () => {
    const options = {
      server: 'https://proxy.example/pets/',
      headers: { Authorization: 'Basic {{secrets.ME}}' },
      prefix: 'p_',
    }
    const { url, headers } = sent(imported(pets, options), 'p_notes_add', { petId: '1', body: { text: 'x' } })
    expect([url, headers['Authorization']]).toEqual(['https://proxy.example/pets/pets/1/notes', 'Basic <ME>'])
  })

  it('gets a unique name', () => {
    const twice = documentOf({
      '/a': { get: { ...OK, operationId: 'bash' } },
      '/b': { get: { ...OK, operationId: 'bash!' } },
    })
    expect(imported(twice, {}, ['bash']).tools.map(({ definition }) => definition.name)).toEqual([
      'bash_2',
      'bash_3',
    ])
  })

  it('with a form sends each field, and nested ones as the document writes them', () => {
    const form = {
      properties: {
        name: { type: 'string' },
        card: { type: 'object', properties: { number: { type: 'string' } } },
        expand: { type: 'array', items: { type: 'string' } },
      },
    }
    const deep = { style: 'deepObject', explode: true }
    const paths = {
      '/c': {
        post: {
          ...OK,
          operationId: 'c',
          requestBody: {
            content: {
              'application/x-www-form-urlencoded': { schema: form, encoding: { card: deep, expand: deep } },
            },
          },
        },
      },
    }
    const body = { name: 'a&b', card: { number: '4' }, expand: ['x', 'y'] }
    expect(decodeURIComponent(sent(imported(documentOf(paths)), 'c', { body }).body ?? '')).toBe(
      'name=a&b&card[number]=4&expand[]=x&expand[]=y',
    )
  })
})

describe('an invalid operation', () => {
  const body = (type: string): object => ({
    requestBody: { required: true, content: { [type]: { schema: {} } } },
  })
  const bad: Readonly<Record<string, readonly [object, string]>> = {
    '/cookie': [
      { get: { ...OK, parameters: [{ name: 'c', in: 'cookie', required: true, schema: {} }] } },
      'requires the cookie c',
    ],
    '/trace': [{ trace: OK }, 'is a TRACE request'],
    '/upload': [
      { post: { ...OK, ...body('multipart/form-data') } },
      'requires a body of type multipart/form-data',
    ],
    '/away': [{ get: { ...OK, parameters: [{ $ref: 'other.yaml#/p' }] } }, 'refers to another file'],
    '/gone': [
      { post: { ...OK, requestBody: { $ref: '#/components/none' } } },
      'refers to #/components/none, which does not exist',
    ],
    '/{open}': [{ get: OK }, 'has {open} in its path but no parameter'],
    '/key': [{ get: { ...OK, security: [{ key: [] }] } }, 'requires the security scheme key'],
    '/elsewhere': [{ get: { ...OK, servers: [{ url: '/v2' }] } }, 'has no host'],
    '/round': [
      { get: { ...OK, parameters: [{ $ref: '#/components/parameters/round' }] } },
      'too long or endless',
    ],
    '/in-url': [{ get: { ...OK, security: [{ query: [] }] } }, 'may not contain {{secrets.QUERY}}'],
    '/template': [
      { get: { ...OK, servers: [{ url: 'https://{{input.host}}/' }] } },
      'must not have a template in its host',
    ],
  }
  const document = documentOf(
    {
      ...Object.fromEntries(Object.entries(bad).map(([path, [item]]) => [path, item])),
      '/good': { get: OK },
      '/null': null,
    },
    {
      components: {
        parameters: { round: { $ref: '#/components/parameters/round' } },
        securitySchemes: { query: { type: 'apiKey', in: 'query', name: 'k' } },
      },
    },
  )
  const result = imported(document)

  it('is refused without affecting others', () => {
    expect(result.tools.map(({ operation }) => operation)).toEqual(['GET /good'])
    expect(result.refused).toHaveLength(Object.keys(bad).length)
  })

  it.each(Object.entries(bad))('at %s says why', (path, [, why]) => {
    expect(result.refused.find(({ operation }) => operation.endsWith(` ${path}`))?.reason).toContain(why)
  })
})

describe('a document', () => {
  it.each([
    ['', 'is not an object'],
    ['{"swagger":"2.0","paths":{}}', 'Its version is 2.0'],
    ['{"openapi":"3.0.0"}', 'has no paths'],
    ['a: [', 'neither JSON nor YAML'],
    [`{"openapi":"3.0.0","paths":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'nests deeper'],
    [
      `a: &a [x,x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [*${at ? `b${at - 1}` : 'a'},*${at ? `b${at - 1}` : 'a'}]`).join('\n')}`,
      'neither JSON nor YAML',
    ],
  ])('that is invalid is refused whole (%#)', (text, why) => {
    const result = importOpenApi(text, {}, new Set())
    expect(result.ok ? '' : result.error.detail).toContain(why)
  })

  it('with endlessly recursive schemas is cut, and says so', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `s${at}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 40 }, (__, to) => [`p${to}`, { $ref: `#/components/schemas/s${to}` }]),
          ),
        },
      ]),
    )
    const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/s0' } } } }
    const { tools } = imported(
      documentOf({ '/a': { post: { ...OK, requestBody: body } } }, { components: { schemas } }),
    )
    expect(tools).toHaveLength(1)
    expect(tools[0]?.notes.join()).toContain('accept any value')
  })

  it('of 300 operations gives 300 tools, each of which reaches its own route of a server made from the document', () => {
    const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
    const paths = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `/things${at}/{thingId}`,
        {
          parameters: [{ name: 'thingId', in: 'path', required: true, schema: { type: 'string' } }],
          ...Object.fromEntries(
            METHODS.map((method) => [
              method,
              {
                ...OK,
                operationId: `${method}Thing${at}`,
                parameters: [{ name: 'verbose', in: 'query', schema: { type: 'boolean' } }],
                ...(method === 'get' || method === 'delete'
                  ? {}
                  : {
                      requestBody: {
                        content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
                      },
                    }),
              },
            ]),
          ),
        },
      ]),
    )
    const part = {
      type: 'object',
      properties: { size: { type: 'integer' }, more: { $ref: '#/components/schemas/Thing' } },
    }
    const thing = {
      type: 'object',
      properties: { name: { type: 'string' }, part: { $ref: '#/components/schemas/Part' } },
      required: ['name'],
    }
    const all = imported(documentOf(paths, { components: { schemas: { Thing: thing, Part: part } } }))
    expect([all.tools.length, all.refused]).toEqual([300, []])
    for (const { definition, operation } of all.tools) {
      const acts = definition.request.body !== null
      const body = { name: 'x', part: { size: 1, more: { name: 'y' } } }
      const request = sent(all, definition.name, { thingId: 'a b', verbose: true, ...(acts ? { body } : {}) })
      const url = new URL(request.url)
      const served = url.pathname.replace(/^\/v1/, '').replace('a%20b', '{thingId}')
      expect(`${request.method} ${served}`).toBe(operation)
      expect(url.search).toBe('?verbose=true')
      expect(request.body === null ? null : JSON.parse(request.body)).toEqual(acts ? body : null)
    }
  })
})
