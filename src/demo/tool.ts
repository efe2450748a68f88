// Whether a message names a tool, the input the demo model calls it with, and how it reports the result. Pure. Because a tool
// may act, the demo model never calls one that the user did not name.

import { codePoints, cutText } from '../lib/text.ts'
import { asList, asObject, asText } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { ToolAnswer, DemoTurn } from './read.ts'
import { stems } from './similarity.ts'

/** Null: nothing here for a tool. */
type ToolStep = { readonly text: string; readonly calls: readonly { name: string; input: Json }[] } | null

/** The demo plans calls of these by itself. Any other tool of the request is called only when the user names it. */
const PLANNED: ReadonlySet<string> = new Set([
  'load_skill',
  'search_skills',
  'read_file',
  'write_file',
  'bash',
  'present_files',
  'ask_clarification',
])

const ORDER_CHARS = 80
const ANSWER_CHARS = 600
/** A message with one of these may not be an order. */
const DOUBT =
  /\b(?:not|never|no|without|don'?t|if|when|how|why|what|should|whether|tell|show|explain|about)\b|\?/i

/** The step that a tool from settings is for; `tools`: those of the request. */
export function planTool(turn: DemoTurn, tools: readonly Json[]): ToolStep {
  const called = turn.answers.find(({ tool }) => !PLANNED.has(tool))
  if (called !== undefined) return { text: describeResult(called), calls: [] }
  if (turn.answers.length > 0) return null
  // "Open a ticket: the printer is broken": the action is before the colon, its input after it.
  const colon = turn.question.indexOf(':')
  const order = (colon < 0 ? turn.question : turn.question.slice(0, colon)).trim()
  const rest = colon < 0 ? '' : turn.question.slice(colon + 1).trim()
  if (order === '' || order.length > ORDER_CHARS || DOUBT.test(order)) return null
  const tool = tools.find((one) => !PLANNED.has(asText(one['name'])) && names(order, one))
  if (tool === undefined) return null
  const name = asText(tool['name'])
  const { input, missing } = filled(asObject(tool['input_schema']) ?? {}, rest)
  if (missing.length === 0)
    return { text: `That is what the tool ${name} is for. I call it.`, calls: [{ name, input }] }
  const text = `That is what the tool ${name} is for, but I cannot tell what is meant for ${missing.join(', ')}. Write "${order}: …" with it behind the colon.`
  return { text, calls: [] }
}

/** The order is the tool's name, or two or more of the tool's own terms and no others, at least one from its name. */
function names(order: string, tool: Json): boolean {
  const name = asText(tool['name'])
  if (order.replace(/^(?:please )?(?:call |use |run )?(?:the tool )?/i, '') === name) return true
  const orderTerms = [...stems(order)]
  const own = stems(name.replaceAll(/[_-]/g, ' '))
  const all = new Set([...own, ...stems(asText(tool['description']))])
  return (
    orderTerms.length > 1 &&
    orderTerms.some((word) => own.has(word)) &&
    orderTerms.every((word) => all.has(word))
  )
}

/** Fills required fields from the text. Each text field takes one line, the last one the rest. */
function filled(schema: Json, text: string): { readonly input: Json; readonly missing: readonly string[] } {
  const fields = asObject(schema['properties']) ?? {}
  const required = asList(schema['required']).map(asText)
  const texts = required.filter((name) => isFreeText(asObject(fields[name])))
  const lines = text.split('\n')
  const input: Record<string, unknown> = {}
  for (const name of required) {
    const field = asObject(fields[name]) ?? {}
    const value = texts.includes(name)
      ? countFitting(field, name === texts.at(-1) ? lines.join('\n').trim() : (lines.shift() ?? '').trim())
      : found(field, text)
    if (value !== undefined) input[name] = value
  }
  return { input, missing: required.filter((name) => !(name in input)) }
}

function isFreeText(field: Json | null): boolean {
  return field?.['type'] === 'string' && field['enum'] === undefined && field['pattern'] === undefined
}

function countFitting({ maxLength }: Json, text: string): string | undefined {
  const most = typeof maxLength === 'number' ? maxLength : Infinity
  return text === '' ? undefined : codePoints(text) > most ? cutText(text, most) : text
}

/** One of the allowed values, or a number, if the text contains it. */
function found({ type, enum: values }: Json, text: string): unknown {
  if (Array.isArray(values)) return values.find((value) => typeof value === 'string' && text.includes(value))
  const number = /-?\d+(?:\.\d+)?/.exec(text)?.[0]
  if (number === undefined || (type !== 'number' && type !== 'integer')) return undefined
  return type === 'integer' ? Math.trunc(Number(number)) : Number(number)
}

function describeResult({ tool, text, isError }: ToolAnswer): string {
  const excerpt = cutText(text.trim(), ANSWER_CHARS)
  if (!isError) return `The tool ${tool} was called and answered:\n\n${quoted(excerpt)}`
  if (!text.startsWith('Not run: a person denied'))
    return `The tool ${tool} did not do it:\n\n${quoted(excerpt)}`
  const note = /They say: (.+)/s.exec(excerpt)?.[1]
  const why = note === undefined ? '' : ` The note says: ${note}`
  return `You said no, so ${tool} was not called and nothing was sent.${why}`
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ')
}
