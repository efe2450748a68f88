// Parses the input of call_tool: which tool it calls, and with which input. Repairs typical mistakes of models in
// nested calls, and reports the repairs. Pure. Never invents an input.

import { isObject } from '../../lib/json-object.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { NESTED_CALLS_MAX } from './limits.ts'
import { CALL_TOOL_NAME } from './names.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a model wrote, before the target's schema is known. */
export interface NamedCall {
  readonly name: string
  /** The value of `input`; undefined if there is none. */
  readonly input: unknown
  /** Fields next to `name` and `input`. */
  readonly others: Fields
  readonly repairs: readonly string[]
}

export interface RepairedCall {
  readonly input: Fields
  /** What was repaired, as sentences for the model. */
  readonly repairs: readonly string[]
}

const JSON_TEXT = 'input was JSON in a string'
const NESTED_NAME = 'name was inside input'
const BESIDE = 'arguments were next to input instead of inside'
const ITSELF = 'call_tool was called through itself'

/** Names that other hosts use for `name` and `input`. */
const TOOL_NAMES = ['tool', 'tool_name'] as const
const INPUT_NAMES = ['arguments', 'args', 'parameters', 'params'] as const

/** Returns the tool that the input names. The error is a message for the model. */
export function readCall(written: unknown): Result<NamedCall, string> {
  const repairs: string[] = []
  let fields = objectIn(written, repairs)
  for (let depth = 0; fields && depth <= NESTED_CALLS_MAX; depth++) {
    const { name, input, ...others } = withName(fields, repairs)
    const inner = objectIn(input, [])
    if (isName(name) && name.trim() !== CALL_TOOL_NAME)
      return ok({ name: name.trim(), input, others, repairs })
    // Without a name at the outer level, the inner name is that of the tool.
    const nested = inner && isName(inner['name']) ? inner : null
    if (!nested) break
    repairs.push(name === undefined ? NESTED_NAME : ITSELF)
    if (typeof input === 'string') repairs.push(JSON_TEXT)
    fields = nested
  }
  return err(
    `Not run: name is missing. Call ${CALL_TOOL_NAME} with {"name": "the name of a tool", "input": {its input}}.`,
  )
}

/** Renames the field in which models expect the name with other hosts. */
function withName(fields: Fields, repairs: string[]): Fields {
  const alias = TOOL_NAMES.find((name) => isName(fields[name]))
  if (fields['name'] !== undefined || alias === undefined) return fields
  repairs.push(`name was named ${alias}`)
  const { [alias]: name, ...others } = fields
  return { ...others, name }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** Returns the input for a tool with this schema. The error is a message for the model. */
export function readInput(
  { input, others, repairs }: NamedCall,
  schema: Fields,
): Result<RepairedCall, string> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const beside = Object.entries(others)
  if (input === undefined) {
    const [alias, ...more] = INPUT_NAMES.filter((name) => name in others && !Object.hasOwn(properties, name))
    const made: string[] = []
    const renamed =
      alias !== undefined && more.length === 0 && beside.length === 1 ? objectIn(others[alias], made) : null
    if (renamed) return ok({ input: renamed, repairs: [...repairs, ...made, `input was named ${alias}`] })
    if (beside.length > 0) return ok({ input: others, repairs: [...repairs, BESIDE] })
    // The name was found inside the input, which had no other field.
    return err('Not run: input is missing. Send {} if the tool needs none.')
  }
  const made: string[] = []
  const read = objectIn(input, made)
  if (!read) {
    // The tool itself has a field named `input`.
    if (Object.hasOwn(properties, 'input'))
      return ok({ input: { input, ...others }, repairs: [...repairs, BESIDE] })
    return err('Not run: input is not an object, and cannot be read as one.')
  }
  const missing = beside.filter(([name]) => Object.hasOwn(properties, name) && !Object.hasOwn(read, name))
  if (missing.length === 0) {
    // The input is empty and the tool knows none of the other fields, which the model probably meant as the input.
    if (beside.length > 0 && Object.keys(read).length === 0)
      return ok({ input: others, repairs: [...repairs, ...made, BESIDE] })
    return ok({ input: read, repairs: [...repairs, ...made] })
  }
  return ok({ input: { ...read, ...Object.fromEntries(missing) }, repairs: [...repairs, ...made, BESIDE] })
}

/** Returns the value if it is an object, or the object that it encodes as JSON. Adds the repair, if one was needed. */
function objectIn(value: unknown, repairs: string[]): Fields | null {
  let current = value
  for (let depth = 0; typeof current === 'string' && depth < NESTED_CALLS_MAX; depth++) {
    const text = withoutFence(current)
    try {
      current = JSON.parse(text)
    } catch {
      return null
    }
  }
  if (!isObject(current)) return null
  if (typeof value === 'string') repairs.push(JSON_TEXT)
  return current
}

/** Returns the text inside a Markdown code block, in which models may write JSON. */
function withoutFence(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```')) return trimmed
  const firstLineEnd = trimmed.indexOf('\n')
  return firstLineEnd === -1 ? trimmed : trimmed.slice(firstLineEnd, -3).trim()
}

/** Returns the note about the repairs for the result of a call; empty if there were none. */
export function repairNote(name: string, repairs: readonly string[]): string {
  if (repairs.length === 0) return ''
  return `\n\n[This call of ${name} was repaired: ${[...new Set(repairs)].join('; ')}. Call ${CALL_TOOL_NAME} with {"name": …, "input": {…}}.]`
}
