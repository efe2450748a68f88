// Reads JSON of unknown shape. Never throws.

import { jsonDepth } from './json-depth.ts'
import { MODEL_JSON_MAX_DEPTH } from '../limits/model.ts'

export type Json = Readonly<Record<string, unknown>>

/** The value as an object, or null if it is anything else. */
export function asObject(value: unknown): Json | null {
  // `typeof` and the array check leave only plain objects, so reading any field is sound.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}

/**
 * Parses text that should be a JSON object; null if it is not, or nests so deeply that writing, sending or showing it would
 * fail.
 */
export function parseObject(text: string): Json | null {
  try {
    return jsonDepth(text) > MODEL_JSON_MAX_DEPTH ? null : asObject(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * The same as it will read after storage: a number too large for JSON (`1e400`) would be checked as one value and sent as
 * another.
 */
export function parseStorable(text: string): Json | null {
  const value = parseObject(text)
  // Only such a text can contain one, and few do.
  return value && /\d[eE]\+?\d{2}|\d{300}/.test(text) ? parseObject(JSON.stringify(value)) : value
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
