// Text in code points: counting, cutting, cleaning for display.

import { utf8 } from './bytes.ts'

/** The contract's unit of length. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const LINE_FEED = 10
const RETURN = 13

/**
 * Every line end as LF. By bytes: a megabyte of returns alone would be a million pieces for a replacement. Half a
 * character, which no text read from UTF-8 has, becomes U+FFFD.
 */
export function lineFeeds(text: string): string {
  if (!text.includes('\r')) return text
  const bytes = utf8(text)
  let length = 0
  let before = 0
  for (const byte of bytes) {
    if (byte !== LINE_FEED || before !== RETURN) bytes[length++] = byte === RETURN ? LINE_FEED : byte
    before = byte
  }
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length))
}

/** Lines of the first `end` units, ended by LF: 1 for none. Makes no list of them: a text may be line ends alone. */
export function countLines(text: string, end = text.length): number {
  let count = 1
  for (let at = 0; at < end; at++) if (text.charCodeAt(at) === LINE_FEED) count++
  return count
}

/** At most `max` code points, with an ellipsis inside that bound when something was cut. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  // A code point takes at most two units: what lies behind them is never shown.
  const points = Array.from(text.slice(0, 2 * max + 2))
  return points.length <= max ? text : `${points.slice(0, Math.max(0, max - 1)).join('')}…`
}

/** The beginning of a text that has at most `max` bytes as UTF-8, and ends with a whole character. */
export function cutBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text
  // A code point of the last bytes that is cut is left out by a decoder that waits for the rest of it.
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(
    utf8(text.slice(0, max)).subarray(0, max),
    {
      stream: true,
    },
  )
}

// Controls except TAB and LF, and what Unicode says to ignore in display (bidi controls, zero-width, fillers, tags,
// selectors of variants): they hide text from a reader. U+FE00–FE0F stay, because honest emoji end in them.
const INVISIBLE = /(?![\t\n])\p{Cc}|(?![\uFE00-\uFE0F])\p{Default_Ignorable_Code_Point}/gu

export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** A rough count of model tokens: four characters each, never zero for text. Used for budgets before the model says. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
