// Guards that a call inside a call is understood in the forms in which models write it, and that no input is made up.

import { describe, expect, it } from 'vitest'
import { ok } from '../../../../src/lib/result.ts'
import { readCall, readInput, repairNote } from '../../../../src/tools/deferred/read-call.ts'

const SCHEMA = {
  type: 'object',
  properties: { title: { type: 'string' }, tags: { type: 'array' }, name: { type: 'string' } },
}

function read(written: unknown, schema: object = SCHEMA): unknown {
  const call = readCall(written)
  if (!call.ok) return call.error
  const made = readInput(call.value, schema as typeof SCHEMA)
  return made.ok ? { name: call.value.name, ...made.value } : made.error
}

const SOME = expect.arrayContaining([expect.any(String)])

/** Inputs that differ in everything that could confuse a reader of JSON. */
const INPUTS: readonly Readonly<Record<string, unknown>>[] = Array.from({ length: 100 }, (_, at) => ({
  title: `${['plain', 'with "quotes"', 'line\nbreak', 'ünïcode ✓', '{"a":1}', '```', '\\', ''][at % 8]} ${at}`,
  ...(at % 3 === 0 ? { tags: [{ deep: { er: at } }, null, true] } : {}),
  ...(at % 5 === 0 ? { name: `the field ${at}` } : {}),
  ...(at % 7 === 0 ? { input: at } : {}),
}))

describe('a call inside a call', () => {
  it('is taken unchanged if it is correct', () => {
    for (const input of [...INPUTS, {}])
      expect(read({ name: 'mcp_crm_add', input })).toEqual({ name: 'mcp_crm_add', input, repairs: [] })
  })

  it.each([
    ['input as JSON in a string', (input: object) => ({ name: 'x', input: JSON.stringify(input) })],
    ['… in two strings', (input: object) => ({ name: 'x', input: JSON.stringify(JSON.stringify(input)) })],
    [
      '… in a code block',
      (input: object) => ({ name: 'x', input: `\`\`\`json\n${JSON.stringify(input)}\n\`\`\`` }),
    ],
    ['the name inside input', (input: object) => ({ input: { name: 'x', input } })],
    ['… in a string', (input: object) => ({ input: JSON.stringify({ name: 'x', input }) })],
    ['itself', (input: object) => ({ name: 'call_tool', input: { name: 'x', input } })],
    [
      '… twice',
      (input: object) => ({ name: 'call_tool', input: { name: 'call_tool', input: { name: 'x', input } } }),
    ],
    [
      '… in a string',
      (input: object) => ({ name: 'call_tool', input: JSON.stringify({ name: 'x', input }) }),
    ],
    ['arguments for input', (input: object) => ({ name: 'x', arguments: input })],
    ['tool for name', (input: object) => ({ tool: 'x', input })],
    ['everything as JSON', (input: object) => JSON.stringify({ name: 'x', input })],
  ])('is repaired without losing content: %s', (_, write) => {
    for (const input of INPUTS) expect(read(write(input))).toEqual({ name: 'x', input, repairs: SOME })
  })

  it.each([
    ['next to the name', (input: Input) => [{ name: 'x', ...input }, input] as const],
    ['next to an empty input', (input: Input) => [{ name: 'x', input: {}, ...input }, input] as const],
    [
      'half of them inside',
      ({ title, ...input }: Input) =>
        [
          { name: 'x', input: { ...input, tags: 1 }, title },
          { ...input, tags: 1, title },
        ] as const,
    ],
    [
      'inside input, next to the name',
      (input: Input) => [{ input: { name: 'x', ...input } }, input] as const,
    ],
  ])('is repaired if its arguments are in the wrong place: %s', (_, write) => {
    for (const { name: _, input: __, ...each } of INPUTS) {
      const [written, input] = write(each)
      expect(read(written)).toMatchObject({ name: 'x', input })
    }
  })

  it('keeps fields of the target with the same names as its own', () => {
    const schema = { properties: { input: { type: 'string' }, arguments: { type: 'string' } } }
    expect(read({ name: 'x', input: 'not JSON', lang: 'en' }, schema)).toMatchObject({
      input: { input: 'not JSON', lang: 'en' },
    })
    expect(read({ name: 'x', arguments: '{}' }, schema)).toMatchObject({ input: { arguments: '{}' } })
    expect(read({ name: 'x', input: { a: 1 }, more: 2 })).toMatchObject({ input: { a: 1 }, repairs: [] })
  })

  it('is refused if its input cannot be read, never made empty', () => {
    for (const input of [
      undefined,
      null,
      7,
      true,
      [],
      [{ title: 'x' }],
      '',
      'null',
      '[1]',
      '{"title": ',
      'title: x',
      '```json\n{\n```',
    ])
      expect(read({ name: 'x', input }), JSON.stringify(input)).toMatch(/^Not run: input is/)
    for (const written of [
      {},
      null,
      'x',
      [],
      { input: {} },
      { name: '', input: {} },
      { name: 7, input: {} },
      { name: 'call_tool', input: {} },
    ])
      expect(read(written), JSON.stringify(written)).toMatch(/^Not run: name is missing/)
    let deep: object = { name: 'x', input: {} }
    for (let depth = 0; depth < 50; depth++) deep = { name: 'call_tool', input: deep }
    expect(read(deep)).toMatch(/^Not run: name is missing/)
  })

  it('reports a repair once', () => {
    expect(repairNote('x', [])).toBe('')
    expect(repairNote('x', ['a', 'a', 'b'])).toContain('This call of x was repaired: a; b.')
    expect(readCall({ name: ' x ', input: 1 })).toEqual(ok(expect.objectContaining({ name: 'x' })))
  })
})

type Input = Readonly<Record<string, unknown>>
