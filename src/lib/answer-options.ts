// Reads a question's options in whatever form a model sends them: a list, JSON as text, lines of text, or
// nested objects. A question must not fail because of its form. The server and the page share this code, so
// that the options shown are the ones that were checked.

import { answerText } from './answer-text.ts'
import { jsonDepth } from './json-depth.ts'
import { OPTIONS_JSON_MAX_DEPTH } from './limits.ts'

/** The options as they are shown and sent, without empty ones and duplicates. */
export function answerOptions(given: unknown): readonly string[] {
  const texts = leaves(given).map((text) => answerText(text.replace(/<[^<>]{1,100}>/g, '')))
  return [...new Set(texts.filter((text) => text !== ''))]
}

function leaves(given: unknown): readonly string[] {
  if (typeof given === 'string') return fromText(given)
  if (typeof given === 'number' || typeof given === 'boolean') return [String(given)]
  if (typeof given !== 'object' || given === null) return []
  return Object.values(given).flatMap(leaf)
}

/** A string in a list is one option, even if it contains commas and line breaks. */
function leaf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : leaves(value)
}

function fromText(text: string): readonly string[] {
  const parsed = fromJson(text)
  if (parsed !== null) return leaves(parsed)
  return text.split('\n').map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, ''))
}

function fromJson(text: string): object | null {
  if (!/^\s*[[{]/.test(text) || jsonDepth(text) > OPTIONS_JSON_MAX_DEPTH) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
