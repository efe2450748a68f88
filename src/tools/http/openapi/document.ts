// An OpenAPI 3 document as untrusted JSON: read from its text, looked into without surprises, its local references followed.
// Fetches nothing: what stands in another file is not there.

import { parse } from 'yaml'
import { jsonDepth } from '../../../lib/json-depth.ts'
import { fail, ok, type Result } from '../../../lib/result.ts'
import { cutText } from '../../../lib/text.ts'
import { OPENAPI_MAX_BYTES, OPENAPI_YAML_MAX_BYTES } from './limits.ts'
import { isObject, resolveRef, type Schema } from '../input-schema.ts'

/** JSON nests far less in honest documents; beyond this whoever walks one runs out of stack. */
const DEPTH = 200
/** References that lead to references. */
const HOPS = 20

/** Why an operation, or a part of it, cannot be used. */
export class Unusable extends Error {}

/** Fails with `invalid_request` in words for whoever sent it. */
export function parseOpenApi(text: string): Result<Schema> {
  if (text.length > OPENAPI_MAX_BYTES)
    return fail(
      'too_large',
      `The document has more than ${OPENAPI_MAX_BYTES} bytes. Leave out what is not needed.`,
    )
  const document = parsed(text)
  if (!document.ok) return document
  const { value } = document
  if (!isObject(value))
    return fail('invalid_request', 'The document is not an OpenAPI document: it is no object.')
  const version = value['openapi']
  if (typeof version !== 'string' || !/^3\.[01](?:\.|$)/.test(version)) {
    const said = version ?? value['swagger']
    const told =
      typeof said === 'string' ? `It says ${cutText(said, 20)}.` : 'It does not say which version it is.'
    return fail('invalid_request', `The document is not OpenAPI 3.0 or 3.1. ${told} Convert it first.`)
  }
  return isObject(value['paths']) ? ok(value) : fail('invalid_request', 'The document has no paths.')
}

function parsed(text: string): Result<unknown> {
  if (/^\s*\{/.test(text)) {
    if (jsonDepth(text) > DEPTH)
      return fail('invalid_request', `The document nests deeper than ${DEPTH} levels.`)
    try {
      return ok(JSON.parse(text))
    } catch {
      // It may be YAML that begins like JSON.
    }
  }
  if (text.length > OPENAPI_YAML_MAX_BYTES)
    return fail(
      'too_large',
      `As YAML the document may have ${OPENAPI_YAML_MAX_BYTES} bytes. Convert it to JSON, of which ${OPENAPI_MAX_BYTES} are taken.`,
    )
  try {
    // Through JSON: no dates, no maps, and nothing that stands in two places at once.
    const plain: unknown = JSON.parse(JSON.stringify(parse(text, { maxAliasCount: 100, logLevel: 'error' })))
    return ok(plain)
  } catch {
    return fail('invalid_request', 'The document is neither JSON nor YAML.')
  }
}

/** An object, its references followed; null where there is none. Throws Unusable where one leads nowhere. */
export function objectAt(document: Schema, value: unknown): Schema | null {
  let found = value
  for (let hop = 0; hop < HOPS; hop++) {
    if (!isObject(found)) return null
    const ref = found['$ref']
    if (typeof ref !== 'string') return found
    found = target(document, ref)
  }
  throw new Unusable('has references that lead to references without end')
}

/** What a local reference names. */
export function target(document: Schema, ref: string): unknown {
  if (!ref.startsWith('#'))
    throw new Unusable(`refers to another file (${cutText(ref, 80)}): bundle the document first`)
  const found = resolveRef(document, ref)
  if (found === undefined) throw new Unusable(`refers to ${cutText(ref, 80)}, which is not there`)
  return found
}

export function textAt(object: Schema, name: string): string | null {
  const value = object[name]
  return typeof value === 'string' ? value : null
}

export function listAt(object: Schema, name: string): readonly unknown[] {
  const value = object[name]
  return Array.isArray(value) ? value : []
}
