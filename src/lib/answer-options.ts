// The answers that a person may choose from, whatever form a model gave them in: a list, JSON as text, lines of text, nested
// objects. Models write all of these, and a question must not fail for its form. One function for server and page, so
// that what is offered is what was looked at.

import { answerText } from './answer-text.ts'
import { jsonDepth } from './json-depth.ts'
import { OPTIONS_JSON_DEPTH } from './limits.ts'

/** Texts as they are shown and sent; blank ones and those that come twice are left out. */
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

/** What stands within a list is one option, commas and line ends included. */
function leaf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : leaves(value)
}

function fromText(text: string): readonly string[] {
  const parsed = fromJson(text)
  if (parsed !== null) return leaves(parsed)
  return text.split('\n').map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, ''))
}

function fromJson(text: string): object | null {
  if (!/^\s*[[{]/.test(text) || jsonDepth(text) > OPTIONS_JSON_DEPTH) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
