// Checks in bounded time whether the model's input is valid for an HTTP tool, and describes its faults.

import { jsonDepth } from '../../lib/json-depth.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { JSON_MAX_DEPTH } from '../../limits/requests.ts'
import { HTTP_TOOL_FAULTS_SHOWN_MAX, HTTP_TOOL_INPUT_MAX_CHARS } from './limits.ts'
import { isObject } from '../../lib/json-object.ts'
import type { Schema } from './input-schema.ts'
import { CheckLimitExceeded, validate, type Fault } from './validate.ts'

/** Returns the input if it is valid. The error describes the faults, without advice. `schema` has passed input-schema.ts. */
export function checkInput(schema: Schema, input: unknown): Result<Schema, string> {
  if (!isObject(input)) return err('The input must be an object.')
  const text = JSON.stringify(input)
  if (text.length > HTTP_TOOL_INPUT_MAX_CHARS)
    return err(`The input has ${text.length} characters; the limit is ${HTTP_TOOL_INPUT_MAX_CHARS}.`)
  if (jsonDepth(text) > JSON_MAX_DEPTH) return err(`The input nests deeper than ${JSON_MAX_DEPTH} levels.`)
  try {
    const faults = validate(schema, input)
    return faults.length === 0 ? ok(input) : err(faultsMessage(faults))
  } catch (error) {
    if (!(error instanceof CheckLimitExceeded)) throw error
    return err('The input takes too long to check: its values are too many or too long.')
  }
}

function faultsMessage(faults: readonly Fault[]): string {
  const faultLines = [
    ...new Set(faults.map(({ path, message }) => `${cutText(path.join('.'), 200) || 'input'} ${message}`)),
  ]
  const shown = faultLines.slice(0, HTTP_TOOL_FAULTS_SHOWN_MAX)
  const omittedNote = faultLines.length > shown.length ? ` And ${faultLines.length - shown.length} more.` : ''
  return `The input is not valid. ${shown.join('; ')}.${omittedNote}`
}
