// Converts schema errors to messages for the client, by field path. Messages never quote a value.

import type * as z from 'zod'
import { FIELD_ERRORS_MAX } from '../limits/requests.ts'

export interface FieldError {
  readonly path: string
  readonly message: string
}

type Issue = z.core.$ZodIssue

export function fieldErrors(issues: readonly Issue[]): readonly FieldError[] {
  return issues.flatMap((issue) => errorsOf(issue, [])).slice(0, FIELD_ERRORS_MAX)
}

type Path = readonly PropertyKey[]

function errorsOf(issue: Issue, parentPath: Path): readonly FieldError[] {
  const path = [...parentPath, ...issue.path]
  const joinPath = (key: Path): string => key.map(String).join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: joinPath([...path, key]),
      message: 'is not a field of this request',
    }))
  const hasCustomMessage = issue.code === 'invalid_union' && !issue.message.startsWith('Invalid ')
  if (issue.code !== 'invalid_union' || issue.errors.length === 0 || hasCustomMessage)
    return [{ path: joinPath(path), message: messageOf(issue) }]
  const closestErrors = closestAlternative(issue.errors)
  if (closestErrors) return closestErrors.flatMap((inner) => errorsOf(inner, path))
  const types = issue.errors.flatMap((branch) =>
    branch.flatMap((inner) => (inner.code === 'invalid_type' ? typeName(inner.expected) : [])),
  )
  if (issue.errors.flat().every((inner) => inner.message.endsWith(MISSING)))
    return [{ path: joinPath(path), message: 'is missing' }]
  return [
    { path: joinPath(path), message: types.length > 0 ? `must be ${types.join(' or ')}` : 'is not valid' },
  ]
}

/**
 * The errors of the alternative that is closest to the value, which is the alternative with the deepest errors.
 * Null if all alternatives fail at the top level.
 */
function closestAlternative(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const depthOf = (branch: readonly Issue[]): number =>
    Math.max(...branch.map((inner) => inner.path.length + (inner.code === 'unrecognized_keys' ? 1 : 0)))
  const deepest = branches.toSorted((a, b) => depthOf(b) - depthOf(a))[0]
  return deepest && depthOf(deepest) > 0 ? deepest : null
}

/** The end of the schema library's message for a missing field. */
const MISSING = ', received undefined'

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function typeName(expected: string): string {
  return TYPE_NAMES[expected] ?? expected
}

/** Returns our own messages unchanged; messages of the schema library are replaced. */
function messageOf(issue: Issue): string {
  const { message } = issue
  if (message.endsWith(MISSING)) return 'is missing'
  if (!/^(?:Too (?:small|big): |Invalid )/.test(message)) return message
  if (issue.code === 'invalid_type') return `must be ${typeName(issue.expected)}`
  if (issue.code === 'invalid_value') return oneOfMessage(issue.values)
  // The issue is about the field that selects one of several shapes.
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options)
    return oneOfMessage(issue.options)
  if (issue.code === 'invalid_format') return FORMATS[issue.format] ?? 'is not valid'
  if (issue.code === 'too_small')
    return boundMessage(
      issue.origin,
      issue.inclusive === false ? 'more than' : 'at least',
      Number(issue.minimum),
    )
  if (issue.code === 'too_big')
    return boundMessage(
      issue.origin,
      issue.inclusive === false ? 'less than' : 'at most',
      Number(issue.maximum),
    )
  if (issue.code === 'invalid_key') return 'has an invalid name'
  return 'is not valid'
}

const FORMATS: Readonly<Record<string, string>> = {
  base64: 'must be padded standard base64',
  url: 'must be an https URL',
}

function oneOfMessage(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)))
  return texts.length === 1 ? `must be ${texts[0]}` : `must be one of ${texts.join(', ')}`
}

const COUNTED_UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' }

function boundMessage(origin: string, side: string, limit: number): string {
  const unit = COUNTED_UNITS[origin]
  if (unit === undefined) return `must be ${side} ${limit}`
  if (side === 'at least' && limit === 1) return 'must not be empty'
  return `must have ${side} ${limit} ${unit}${limit === 1 ? '' : 's'}`
}
