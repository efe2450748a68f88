// The template of a reply: the input of a tool, whose texts may contain placeholders. What is inserted is never expanded
// again. Pure.

import { err, ok, type Result } from '../lib/result.ts'
import { cutText } from '../lib/text.ts'
import { JSON_MAX_DEPTH } from '../limits/requests.ts'
import { REPLY_INPUT_MAX_CHARS, REPLY_VALUE_MAX_CHARS } from './limits.ts'
import { neutralized } from './neutralize.ts'

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

/** A call of a tool, with placeholders in the texts of its input. */
export interface ReplyCall {
  readonly tool: string
  readonly input: Readonly<Record<string, JsonValue>>
}

/** How a hook's runs reply: `start` is called when a run starts, the other call when it has ended. */
export interface ReplyTemplate extends ReplyCall {
  readonly start: ReplyCall | null
}

/** What replaces placeholders, by their text, such as `payload.issue.number`. */
export type ReplyValues = Readonly<Record<string, JsonValue>>

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const NAME = /^(?:answer|run\.id|run\.status|thread\.id|(?:payload|start)(?:\.[^\s.]+)+)$/
/** Between names in a placeholder: the first one with a value counts. */
const OR = '|'
/** Placeholders whose value is a text of the model. */
const ANSWER = 'answer'

/** Why a template cannot be used, as the end of a sentence that begins with its field; null if it can. */
export function checkReply({ start, ...finish }: ReplyTemplate): { path: string; message: string } | null {
  const calls = [
    ['reply.input', finish, /^/],
    ['reply.start.input', start, /^(?:payload|run\.id|thread\.id)/],
  ] as const
  for (const [path, call, allowed] of calls) {
    if (call === null) continue
    if (JSON.stringify(call.input).length > REPLY_INPUT_MAX_CHARS)
      return { path, message: `is longer than ${REPLY_INPUT_MAX_CHARS} characters as JSON` }
    for (const name of placeholdersOf(call.input).flatMap(namesIn))
      if (!NAME.test(name) || !allowed.test(name) || (name.startsWith('start.') && start === null))
        return { path, message: `has a placeholder that is not known there: {{${cutText(name, 80)}}}` }
  }
  return null
}

/** The placeholders in the texts of a value, without duplicates. */
function placeholdersOf(input: JsonValue): readonly string[] {
  const names = new Set<string>()
  const collect = (value: JsonValue): void => {
    if (typeof value === 'string')
      for (const match of value.matchAll(PLACEHOLDER)) names.add((match[1] ?? '').trim())
    else if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) collect(part)
  }
  collect(input)
  return [...names]
}

/** The names in a placeholder, in order. */
function namesIn(placeholder: string): readonly string[] {
  return placeholder.split(OR).map((name) => name.trim())
}

/**
 * The values of all placeholders that begin with `root`, read from `source`. Long texts are cut; lists and objects become
 * JSON. Missing values are left out.
 */
export function valuesBelow(
  root: 'payload' | 'start',
  calls: readonly ReplyCall[],
  source: unknown,
): ReplyValues {
  const values: Record<string, JsonValue> = {}
  for (const name of calls.flatMap(({ input }) => placeholdersOf(input).flatMap(namesIn))) {
    const [first, ...path] = name.split('.')
    if (first !== root || path.length > JSON_MAX_DEPTH) continue
    const value = path.reduce<unknown>(childOf, source)
    if (value === undefined || value === null) continue
    values[name] =
      typeof value === 'number' || typeof value === 'boolean'
        ? value
        : cutText(
            (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed(),
            REPLY_VALUE_MAX_CHARS,
          )
  }
  return values
}

function childOf(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return Object.getOwnPropertyDescriptor(value, step)?.value
}

/**
 * Fills in an input. A text that consists of one placeholder gets its value unchanged, except the answer; in other texts
 * values are neutralized. A text with the answer begins with `mark`. The error names a placeholder without a value.
 */
export function fillReply(input: JsonValue, values: ReplyValues, mark: string): Result<JsonValue, string> {
  const missing = placeholdersOf(input).find((placeholder) => valueOf(placeholder, values) === undefined)
  return missing === undefined
    ? ok(filled(input, values, mark))
    : err(`{{${cutText(missing, 80)}}} has no value`)
}

function valueOf(placeholder: string, values: ReplyValues): JsonValue | undefined {
  const name = namesIn(placeholder).find((one) => Object.hasOwn(values, one))
  return name === undefined ? undefined : values[name]
}

function filled(input: JsonValue, values: ReplyValues, mark: string): JsonValue {
  if (typeof input === 'string') return filledText(input, values, mark)
  if (Array.isArray(input)) return input.map((part: JsonValue) => filled(part, values, mark))
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([name, part]) => [name, filled(part, values, mark)]))
}

function filledText(text: string, values: ReplyValues, mark: string): JsonValue {
  const names = placeholdersOf(text)
  const [only] = names
  if (
    only !== undefined &&
    !namesIn(only).includes(ANSWER) &&
    text.replace(PLACEHOLDER, '').trim() === '' &&
    names.length === 1
  )
    return valueOf(only, values) ?? null
  // The template's own text is an admin's, and may mention somebody.
  const joined = text.replace(PLACEHOLDER, (_, name: string) => neutralized(textOf(valueOf(name, values))))
  return names.flatMap(namesIn).includes(ANSWER) ? mark + joined : joined
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}
