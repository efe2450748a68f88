// The invisible mark in front of a hook's answers, by which the hook recognizes a delivery of its own reply. Everybody who
// reads a reply can copy the mark, which only makes the hook ignore the text that contains it. Pure.

import { sha256Hex } from '../lib/bytes.ts'

/** Four characters without width, for two bits each. */
const SIGNS = ['\u200B', '\u200C', '\u200D', '\u2060']
/** 48 bits. */
const MARK_HEX_DIGITS = 12

export async function replyMark(hookId: string): Promise<string> {
  const digest = await sha256Hex(`reply of ${hookId}`)
  return Array.from(digest.slice(0, MARK_HEX_DIGITS), (digit) => {
    const bits = Number.parseInt(digit, 16)
    return `${SIGNS[bits >> 2]}${SIGNS[bits & 3]}`
  }).join('')
}

/** A line that quotes somebody, in Markdown or as Slack escapes it. */
const QUOTE = /^\s*(?:>|&gt;)/

/**
 * Whether the payload contains the mark in any of its texts, outside of quoted lines: a person who quotes a reply still
 * gets an answer. `text` is JSON or any other text.
 */
export function hasMark(text: string, mark: string): boolean {
  // Most deliveries have no such character, and are not parsed for this.
  if (!text.includes(mark) && !/\\u20(?:0[bcd]|60)/i.test(text)) return false
  return textsOf(text).some((one) => one.split('\n').some((line) => line.includes(mark) && !QUOTE.test(line)))
}

function textsOf(text: string): readonly string[] {
  const texts: string[] = []
  try {
    // The reviver sees every value of the JSON.
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value)
      return null
    })
    return texts
  } catch {
    return [text]
  }
}
