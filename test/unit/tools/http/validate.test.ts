// Guards the validation of inputs: it follows JSON Schema, errors name the place, and the number of steps is limited.

import { describe, expect, it } from 'vitest'
import { checkInput } from '../../../../src/tools/http/check-input.ts'
import { schemaErrors, type Schema } from '../../../../src/tools/http/input-schema.ts'

/** Null if the value is valid; otherwise the error. */
function output(schema: unknown, value: unknown, defs: object = {}): string | null {
  const whole: Schema = { type: 'object', properties: { v: schema }, $defs: defs }
  expect(schemaErrors(whole)).toEqual([])
  const checked = checkInput(whole, { v: value })
  return checked.ok ? null : checked.error.replace(/^The input is not valid\. /, '')
}

describe('a value', () => {
  it.each<readonly [Schema | boolean, readonly unknown[], unknown, string]>([
    [false, [], 1, 'v is not a field of this tool.'],
    [{ type: 'integer' }, [1, 1.0, -0], 1.5, 'v must be integer, not number.'],
    [{ type: ['string', 'null'] }, ['a', null], [], 'v must be string or null, not array.'],
    [{ enum: [1, { a: [1] }] }, [1, { a: [1] }], { a: [2] }, 'v must be one of [1,{"a":[1]}].'],
    [{ const: null }, [null], 0, 'v must be null.'],
    [{ minLength: 2, maxLength: 3 }, ['ab', '💩💩', 7], '💩', 'v must have at least 2 characters.'],
    [{ pattern: '^a.c$' }, ['abc', 7], 'x\nabc', 'v does not match the pattern ^a.c$.'],
    [{ format: 'date-time' }, ['2026-01-01T00:00:00Z', 7], '2026-01-01', 'v must be a date-time.'],
    [{ format: 'ipv4' }, ['127.0.0.1'], '127.0.0.1.', 'v must be a ipv4.'],
    [{ format: 'email' }, ['anything'], null, ''],
    [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9], 3, 'v must be less than 3.'],
    [{ multipleOf: 0.01 }, [0.07, 4.35, 0], 0.075, 'v must be a multiple of 0.01.'],
    [{ items: { type: 'string' }, maxItems: 2 }, [[], ['a']], ['a', 1], 'v.1 must be string, not number.'],
    [{ prefixItems: [{}], items: false }, [[1], []], [1, 2], 'v.1 is not a field of this tool.'],
    [
      { uniqueItems: true },
      [[1, '1', { a: 1 }]],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'v must not contain the same item twice.',
    ],
    [
      { contains: { const: 1 }, maxContains: 1 },
      [[1, 2]],
      [1, 1],
      'v contains 2 items that match the schema under contains, but must contain 1 to 1.',
    ],
    [{ required: ['a'] }, [{ a: null }, 'text'], {}, 'v.a is missing.'],
    [
      { additionalProperties: false, properties: { a: {} } },
      [{ a: 1 }],
      { constructor: 1 },
      'v.constructor is not a field of this tool.',
    ],
    [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], { abc: 1 }, 'v.abc has a name that is not valid.'],
    [{ dependentRequired: { a: ['b'] } }, [{ b: 1 }, { a: 1, b: 1 }], { a: 1 }, 'v.b is missing.'],
    [
      { dependentSchemas: { a: { minProperties: 2 } } },
      [{ b: 1 }],
      { a: 1 },
      'v must have at least 2 fields.',
    ],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], 3, 'v must be at most 2.'],
    [
      { oneOf: [{ minimum: 1 }, { maximum: 2 }] },
      [0, 3],
      1,
      'v matches 2 alternatives, but must match exactly one.',
    ],
    [{ not: { type: 'string' } }, [1], 'a', 'v has a forbidden value.'],
    [
      JSON.parse('{"if":{"type":"string"},"then":{"minLength":1},"else":{"minimum":1}}'),
      ['a', 1],
      0,
      'v must be at least 1.',
    ],
  ])('is checked against %j', (schema, fit, unfit, words) => {
    for (const value of fit) expect(output(schema, value)).toBeNull()
    if (words !== '') expect(output(schema, unfit)).toBe(words)
  })

  it('gets the error of the closest alternative', () => {
    const schema = {
      anyOf: [{ type: 'string' }, { properties: { a: { type: 'integer' } }, required: ['a'] }],
    }
    expect(output(schema, { a: 'x' })).toBe(
      'v matches none of 2 alternatives; for the closest one:; v.a must be integer, not string.',
    )
  })

  it('is checked through references, and their siblings', () => {
    const schema = { $ref: '#/$defs/name', maxLength: 3 }
    expect(output(schema, 'abc', { name: { type: 'string' } })).toBeNull()
    expect(output(schema, 'abcd', { name: { type: 'string' } })).toBe('v must have at most 3 characters.')
    expect(output(schema, 7, { name: { type: 'string' } })).toBe('v must be string, not number.')
  })
})

describe('a check', () => {
  it('of a large valid input passes', () => {
    const schema = {
      items: { properties: { id: { type: 'integer' }, name: { type: 'string' } }, required: ['id'] },
    }
    expect(
      output(
        schema,
        Array.from({ length: 5_000 }, (_, id) => ({ id, name: `n${id}` })),
      ),
    ).toBeNull()
  })

  it('of many values against many alternatives ends with an error', () => {
    const anyOf = Array.from({ length: 1_000 }, (_, at) => ({ const: at }))
    expect(
      output(
        { items: { anyOf } },
        Array.from({ length: 5_000 }, () => 'x'),
      ),
    ).toContain('takes too long to check')
  })

  it('of many slow patterns ends with an error', () => {
    const anyOf = Array.from({ length: 400 }, (_, at) => ({ pattern: `(x+x+)+y${at}` }))
    expect(output({ anyOf }, 'x'.repeat(200_000))).toContain('takes too long to check')
  })
})
