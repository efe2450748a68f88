// Reads JSON of unknown shape. Never throws.

import { jsonDepth } from './json-depth.ts'
import { MODEL_JSON_MAX_DEPTH } from '../limits/model.ts'

export type Json = Readonly<Record<string, unknown>>

/** Returns the value if it is an object, otherwise null. */
export function asObject(value: unknown): Json | null {
  // The cast is safe: only objects remain, and any of their fields may be read as unknown.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}

/**
 * Parses text that should be a JSON object. Returns null if it is not one, or if it nests so deeply that
 * writing, sending or displaying it would fail.
 */
export function parseObject(text: string): Json | null {
  try {
    return jsonDepth(text) > MODEL_JSON_MAX_DEPTH ? null : asObject(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Like parseObject, but returns the value as it will be read back after it is stored. A number that is too
 * large for JSON (`1e400`) would otherwise be checked as one value and sent as another.
 */
export function parseStorable(text: string): Json | null {
  const value = parseObject(text)
  // Only a large exponent or hundreds of digits can make a number that large, and both are rare.
  return value && /\d[eE]\+?\d{2}|\d{300}/.test(text) ? parseObject(JSON.stringify(value)) : value
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
