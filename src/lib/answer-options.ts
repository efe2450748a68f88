// Reads a question's options in any form that a model may send: a list, JSON as text, lines of text, or
// nested objects. A question must not fail because of its form. The server and the page share this code, so
// that the page shows exactly the options that the server checked.

import { answerText } from './answer-text.ts'
import { jsonDepth } from './json-depth.ts'
import { OPTIONS_JSON_MAX_DEPTH } from './limits.ts'

/** The options as they are shown and sent, without empty options and duplicates. */
export function answerOptions(input: unknown): readonly string[] {
  const texts = collectTexts(input).map((text) => answerText(text.replace(/<[^<>]{1,100}>/g, '')))
  return [...new Set(texts.filter((text) => text !== ''))]
}

function collectTexts(input: unknown): readonly string[] {
  if (typeof input === 'string') return textsFromString(input)
  if (typeof input === 'number' || typeof input === 'boolean') return [String(input)]
  if (typeof input !== 'object' || input === null) return []
  return Object.values(input).flatMap(collectFromEntry)
}

/** A string in a list is one option, even if it contains commas and line breaks. */
function collectFromEntry(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : collectTexts(value)
}

function textsFromString(text: string): readonly string[] {
  const parsed = parseJson(text)
  if (parsed !== null) return collectTexts(parsed)
  return text.split('\n').map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, ''))
}

function parseJson(text: string): object | null {
  if (!/^\s*[[{]/.test(text) || jsonDepth(text) > OPTIONS_JSON_MAX_DEPTH) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
