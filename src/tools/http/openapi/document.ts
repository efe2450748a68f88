// Parses an OpenAPI 3 document, which is untrusted, and follows its local references. Other files are not available.

import { parse } from 'yaml'
import { jsonDepth } from '../../../lib/json-depth.ts'
import { fail, ok, type Result } from '../../../lib/result.ts'
import { cutText } from '../../../lib/text.ts'
import { OPENAPI_MAX_BYTES, OPENAPI_YAML_MAX_BYTES } from './limits.ts'
import { isObject } from '../../../lib/json-object.ts'
import { resolveRef, type Schema } from '../input-schema.ts'

/** Maximum depth of a document. Real documents are far less deep; deeper documents could overflow the stack. */
const DOCUMENT_MAX_DEPTH = 200
/** How many references in a chain are followed. */
const REFERENCE_CHAIN_MAX = 20

/** Thrown if an operation cannot be used. The message continues a sentence that begins with the operation. */
export class Unusable extends Error {}

/** Parses JSON or YAML. The error is `invalid_request` or `too_large`. */
export function parseOpenApi(text: string): Result<Schema> {
  if (text.length > OPENAPI_MAX_BYTES)
    return fail(
      'too_large',
      `The document has more than ${OPENAPI_MAX_BYTES} bytes. Remove what you do not need.`,
    )
  const document = parseJsonOrYaml(text)
  if (!document.ok) return document
  const { value } = document
  if (!isObject(value))
    return fail('invalid_request', 'The document is not an OpenAPI document, because it is not an object.')
  const version = value['openapi']
  if (typeof version !== 'string' || !/^3\.[01](?:\.|$)/.test(version)) {
    const actualVersion = version ?? value['swagger']
    const versionNote =
      typeof actualVersion === 'string'
        ? `Its version is ${cutText(actualVersion, 20)}.`
        : 'It has no version.'
    return fail('invalid_request', `The document is not OpenAPI 3.0 or 3.1. ${versionNote} Convert it first.`)
  }
  return isObject(value['paths']) ? ok(value) : fail('invalid_request', 'The document has no paths.')
}

function parseJsonOrYaml(text: string): Result<unknown> {
  if (/^\s*\{/.test(text)) {
    if (jsonDepth(text) > DOCUMENT_MAX_DEPTH)
      return fail('invalid_request', `The document nests deeper than ${DOCUMENT_MAX_DEPTH} levels.`)
    try {
      return ok(JSON.parse(text))
    } catch {
      // It may be YAML that begins like JSON.
    }
  }
  if (text.length > OPENAPI_YAML_MAX_BYTES)
    return fail(
      'too_large',
      `A YAML document may be at most ${OPENAPI_YAML_MAX_BYTES} bytes long. Convert it to JSON, which may be up to ${OPENAPI_MAX_BYTES}.`,
    )
  try {
    // The conversion through JSON removes dates, maps and shared objects.
    const json: unknown = JSON.parse(JSON.stringify(parse(text, { maxAliasCount: 100, logLevel: 'error' })))
    return ok(json)
  } catch {
    return fail('invalid_request', 'The document is neither JSON nor YAML.')
  }
}

/** Follows references until an object without `$ref`; null if the value is not an object. Throws Unusable. */
export function objectAt(document: Schema, value: unknown): Schema | null {
  let target = value
  for (let depth = 0; depth < REFERENCE_CHAIN_MAX; depth++) {
    if (!isObject(target)) return null
    const ref = target['$ref']
    if (typeof ref !== 'string') return target
    target = resolveReference(document, ref)
  }
  throw new Unusable('has a chain of references that is too long or endless')
}

/** The target of a local reference. Throws Unusable if it does not exist. */
export function resolveReference(document: Schema, ref: string): unknown {
  if (!ref.startsWith('#'))
    throw new Unusable(`refers to another file (${cutText(ref, 80)}); bundle the document first`)
  const target = resolveRef(document, ref)
  if (target === undefined) throw new Unusable(`refers to ${cutText(ref, 80)}, which does not exist`)
  return target
}

export function textAt(object: Schema, name: string): string | null {
  const value = object[name]
  return typeof value === 'string' ? value : null
}

export function listAt(object: Schema, name: string): readonly unknown[] {
  const value = object[name]
  return Array.isArray(value) ? value : []
}
