// Whether a message asks in so many words for a tool, what the demo model then calls it with, and what it says
// of the outcome. Pure. It never concludes that something is to be done: a tool may act.

import { codePoints, cutText } from '../lib/text.ts'
import { asList, asObject, asText } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { ToolAnswer, DemoTurn } from './read.ts'
import { stems } from './similarity.ts'

/** Null: nothing here for a tool. */
type ToolStep = { readonly text: string; readonly calls: readonly { name: string; input: Json }[] } | null

/** The demo plans calls of these by itself. Any other tool of the request is for whoever asks for it in so many words. */
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
/** An order with one of these is none, or not surely. */
const DOUBT =
  /\b(?:not|never|no|without|don'?t|if|when|how|why|what|should|whether|tell|show|explain|about)\b|\?/i

/** The step that a tool from settings is for; `tools`: those of the request. */
export function planTool(turn: DemoTurn, tools: readonly Json[]): ToolStep {
  const called = turn.answers.find(({ tool }) => !PLANNED.has(tool))
  if (called !== undefined) return { text: told(called), calls: [] }
  if (turn.answers.length > 0) return null
  // "Open a ticket: the printer is broken": what is to be done stands before the colon, and with what behind it.
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

/** It is the name, or says nothing but words of the tool, two or more, with one of its name among them. */
function names(order: string, tool: Json): boolean {
  const name = asText(tool['name'])
  if (order.replace(/^(?:please )?(?:call |use |run )?(?:the tool )?/i, '') === name) return true
  const words = [...stems(order)]
  const own = stems(name.replaceAll(/[_-]/g, ' '))
  const all = new Set([...own, ...stems(asText(tool['description']))])
  return words.length > 1 && words.some((word) => own.has(word)) && words.every((word) => all.has(word))
}

/** Required fields out of the text. The last text field takes all that is left, each one before it a line. */
function filled(schema: Json, text: string): { readonly input: Json; readonly missing: readonly string[] } {
  const fields = asObject(schema['properties']) ?? {}
  const required = asList(schema['required']).map(asText)
  const texts = required.filter((name) => isFreeText(asObject(fields[name])))
  const lines = text.split('\n')
  const input: Record<string, unknown> = {}
  for (const name of required) {
    const field = asObject(fields[name]) ?? {}
    const value = texts.includes(name)
      ? fitting(field, name === texts.at(-1) ? lines.join('\n').trim() : (lines.shift() ?? '').trim())
      : found(field, text)
    if (value !== undefined) input[name] = value
  }
  return { input, missing: required.filter((name) => !(name in input)) }
}

function isFreeText(field: Json | null): boolean {
  return field?.['type'] === 'string' && field['enum'] === undefined && field['pattern'] === undefined
}

function fitting({ maxLength }: Json, text: string): string | undefined {
  const most = typeof maxLength === 'number' ? maxLength : Infinity
  return text === '' ? undefined : codePoints(text) > most ? cutText(text, most) : text
}

/** One of the values that may stand there, or a number, where the text has it. */
function found({ type, enum: values }: Json, text: string): unknown {
  if (Array.isArray(values)) return values.find((value) => typeof value === 'string' && text.includes(value))
  const number = /-?\d+(?:\.\d+)?/.exec(text)?.[0]
  if (number === undefined || (type !== 'number' && type !== 'integer')) return undefined
  return type === 'integer' ? Math.trunc(Number(number)) : Number(number)
}

function told({ tool, text, isError }: ToolAnswer): string {
  const said = cutText(text.trim(), ANSWER_CHARS)
  if (!isError) return `The tool ${tool} was called and answered:\n\n${quoted(said)}`
  if (!text.startsWith('Not run: a person denied'))
    return `The tool ${tool} did not do it:\n\n${quoted(said)}`
  const note = /They say: (.+)/s.exec(said)?.[1]
  const why = note === undefined ? '' : ` The note says: ${note}`
  return `You said no, so ${tool} was not called and nothing was sent.${why}`
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ')
}
