// A hook's filter, which decides whether a delivery starts a run at all. Pure. Patterns are matched in linear time.

import { RE2JS, RE2JSException } from 're2js'
import { canonicalJson } from '../lib/canonical-json.ts'
import { valueAt } from '../lib/json-pointer.ts'
import { FILTER_PATTERN_STEPS_MAX, FILTER_TEXT_MAX_CHARS } from './limits.ts'
import { parsePayload } from './schemes/payload.ts'

/** A value of the body, by JSON pointer, or of a header, by its name. */
type Subject = { readonly pointer: string } | { readonly header: string }
type Test =
  | { readonly equals: unknown }
  | { readonly in: readonly unknown[] }
  | { readonly matches: string }
  | { readonly exists: boolean }

export type FilterCondition = Subject & Test
/** A delivery passes if it meets all, or any, of the conditions. */
export type HookFilter =
  | { readonly all: readonly FilterCondition[] }
  | { readonly any: readonly FilterCondition[] }

/** Why a delivery does not pass, for the log; null if it passes. A body that is not JSON has no values. */
export function whyFiltered(
  filter: HookFilter | null,
  headers: Readonly<Record<string, string>>,
  body: string,
): string | null {
  if (filter === null) return null
  const payload = parsePayload(body)
  const values = { headers, payload: payload.ok ? payload.value : undefined }
  if ('any' in filter)
    return filter.any.some((condition) => isMet(condition, values))
      ? null
      : `No condition is met: ${filter.any.map(describe).join('; ')}.`
  const unmet = filter.all.find((condition) => !isMet(condition, values))
  return unmet ? `This condition is not met: ${describe(unmet)}.` : null
}

/** What is wrong with the pattern of each condition, with its path. */
export function filterProblems(filter: HookFilter | null): { path: string; message: string }[] {
  if (filter === null) return []
  const [name, conditions] = 'any' in filter ? ['any', filter.any] : ['all', filter.all]
  return conditions.flatMap((condition, index) => {
    const message = 'matches' in condition ? patternProblem(condition.matches) : null
    return message === null ? [] : [{ path: `filter.${name}[${index}].matches`, message }]
  })
}

interface Values {
  readonly headers: Readonly<Record<string, string>>
  readonly payload: unknown
}

function isMet(condition: FilterCondition, { headers, payload }: Values): boolean {
  const value =
    'header' in condition
      ? Object.entries(headers).find(([name]) => name.toLowerCase() === condition.header.toLowerCase())?.[1]
      : valueAt(payload, condition.pointer)
  if ('exists' in condition) return condition.exists === (value !== undefined && value !== null)
  if (value === undefined) return false
  if ('equals' in condition) return isSame(value, condition.equals)
  if ('in' in condition) return condition.in.some((one) => isSame(value, one))
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return RE2JS.compile(RE2JS.translateRegExp(condition.matches))
    .matcher(text.slice(0, FILTER_TEXT_MAX_CHARS).toWellFormed())
    .find()
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b)
}

function describe(condition: FilterCondition): string {
  const subject = 'header' in condition ? `the header ${condition.header}` : condition.pointer || 'the body'
  if ('exists' in condition) return `${subject} ${condition.exists ? 'exists' : 'does not exist'}`
  if ('equals' in condition) return `${subject} equals ${canonicalJson(condition.equals)}`
  if ('in' in condition) return `${subject} is in ${canonicalJson(condition.in)}`
  return `${subject} matches ${condition.matches}`
}

function patternProblem(pattern: string): string | null {
  try {
    const size = RE2JS.compile(RE2JS.translateRegExp(pattern)).programSize()
    return size > FILTER_PATTERN_STEPS_MAX
      ? 'is too complex, probably because of counted repetitions such as a{500}: simplify it'
      : null
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return `is not a valid pattern: ${error.message.replace(/^error parsing regexp: /, '')}`
  }
}
