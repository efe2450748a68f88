// Decides whether a message names a tool, fills the tool's input from the message, and reports the result. Pure. A tool may
// change something, so the demo model calls only tools that the user names.

import { codePoints, cutText } from '../lib/text.ts'
import { asList, asObject, asText } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { ToolResult, DemoTurn } from './read.ts'
import { stems } from './similarity.ts'

/** Null if no tool is to be called. */
type ToolStep = { readonly text: string; readonly calls: readonly { name: string; input: Json }[] } | null

/** Tools that the demo model calls by itself. It calls any other tool only if the user names it. */
const SELF_PLANNED_TOOLS: ReadonlySet<string> = new Set([
  'load_skill',
  'search_skills',
  'read_file',
  'write_file',
  'bash',
  'present_files',
  'ask_clarification',
])

const ORDER_MAX_CHARS = 80
const RESULT_SHOWN_CHARS = 600
/** Words that suggest that the message is not an order. */
const NOT_AN_ORDER =
  /\b(?:not|never|no|without|don'?t|if|when|how|why|what|should|whether|tell|show|explain|about)\b|\?/i

/** Plans a call of a tool from settings, or reports its result. `tools`: the tools of the request. */
export function planTool(turn: DemoTurn, tools: readonly Json[]): ToolStep {
  const toolResult = turn.toolResults.find(({ tool }) => !SELF_PLANNED_TOOLS.has(tool))
  if (toolResult !== undefined) return { text: describeResult(toolResult), calls: [] }
  if (turn.toolResults.length > 0) return null
  // For example "Open a ticket: the printer is broken", with the action before the colon and its input after it.
  const colon = turn.question.indexOf(':')
  const order = (colon < 0 ? turn.question : turn.question.slice(0, colon)).trim()
  const inputText = colon < 0 ? '' : turn.question.slice(colon + 1).trim()
  if (order === '' || order.length > ORDER_MAX_CHARS || NOT_AN_ORDER.test(order)) return null
  const tool = tools.find(
    (candidate) => !SELF_PLANNED_TOOLS.has(asText(candidate['name'])) && isNamedBy(order, candidate),
  )
  if (tool === undefined) return null
  const name = asText(tool['name'])
  const { input, missing } = fillInput(asObject(tool['input_schema']) ?? {}, inputText)
  if (missing.length === 0)
    return { text: `That is what the tool ${name} is for. I am calling it.`, calls: [{ name, input }] }
  const text = `That is what the tool ${name} is for, but I cannot tell what to use for ${missing.join(', ')}. Write "${order}: …" with the value after the colon.`
  return { text, calls: [] }
}

/**
 * True if the order is the tool's name, or consists of at least two of the tool's own words, of which at least one is in its name.
 */
function isNamedBy(order: string, tool: Json): boolean {
  const name = asText(tool['name'])
  if (order.replace(/^(?:please )?(?:call |use |run )?(?:the tool )?/i, '') === name) return true
  const orderTerms = [...stems(order)]
  const nameTerms = stems(name.replaceAll(/[_-]/g, ' '))
  const toolTerms = new Set([...nameTerms, ...stems(asText(tool['description']))])
  return (
    orderTerms.length > 1 &&
    orderTerms.some((word) => nameTerms.has(word)) &&
    orderTerms.every((word) => toolTerms.has(word))
  )
}

/** Fills required fields from the text. Each text field gets one line, and the last one gets all remaining lines. */
function fillInput(
  schema: Json,
  text: string,
): { readonly input: Json; readonly missing: readonly string[] } {
  const fields = asObject(schema['properties']) ?? {}
  const required = asList(schema['required']).map(asText)
  const textFields = required.filter((name) => isFreeText(asObject(fields[name])))
  const lines = text.split('\n')
  const input: Record<string, unknown> = {}
  for (const name of required) {
    const field = asObject(fields[name]) ?? {}
    const value = textFields.includes(name)
      ? fitToSchema(
          field,
          name === textFields.at(-1) ? lines.join('\n').trim() : (lines.shift() ?? '').trim(),
        )
      : findValue(field, text)
    if (value !== undefined) input[name] = value
  }
  return { input, missing: required.filter((name) => !(name in input)) }
}

function isFreeText(field: Json | null): boolean {
  return field?.['type'] === 'string' && field['enum'] === undefined && field['pattern'] === undefined
}

function fitToSchema({ maxLength }: Json, text: string): string | undefined {
  const maxChars = typeof maxLength === 'number' ? maxLength : Infinity
  return text === '' ? undefined : codePoints(text) > maxChars ? cutText(text, maxChars) : text
}

/** The first allowed value or number in the text, or undefined if it contains none. */
function findValue({ type, enum: values }: Json, text: string): unknown {
  if (Array.isArray(values)) return values.find((value) => typeof value === 'string' && text.includes(value))
  const number = /-?\d+(?:\.\d+)?/.exec(text)?.[0]
  if (number === undefined || (type !== 'number' && type !== 'integer')) return undefined
  return type === 'integer' ? Math.trunc(Number(number)) : Number(number)
}

function describeResult({ tool, text, isError }: ToolResult): string {
  const excerpt = cutText(text.trim(), RESULT_SHOWN_CHARS)
  if (!isError) return `The tool ${tool} was called and returned:\n\n${asQuote(excerpt)}`
  if (!text.startsWith('Not run: a person denied')) return `The tool ${tool} failed:\n\n${asQuote(excerpt)}`
  const note = /They say: (.+)/s.exec(excerpt)?.[1]
  const noteText = note === undefined ? '' : ` The note says: ${note}`
  return `You said no, so ${tool} was not called and nothing was sent.${noteText}`
}

function asQuote(text: string): string {
  return text.replace(/^/gm, '> ')
}
