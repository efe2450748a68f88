// Counts, cuts and cleans text in code points.

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
 * Every line end as LF. Works on bytes: a megabyte of carriage returns would give a replacement a million pieces. A lone
 * surrogate, which UTF-8 cannot contain, becomes U+FFFD.
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

/** Lines of the first `end` units, ended by LF; at least 1. Creates no list: a text may consist of line ends. */
export function countLines(text: string, end = text.length): number {
  let count = 1
  for (let at = 0; at < end; at++) if (text.charCodeAt(at) === LINE_FEED) count++
  return count
}

/** At most `max` code points, including an ellipsis if the text was cut. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  // A code point takes at most two units, so the rest is never shown.
  const points = Array.from(text.slice(0, 2 * max + 2))
  return points.length <= max ? text : `${points.slice(0, Math.max(0, max - 1)).join('')}…`
}

/** The beginning of a text, at most `max` bytes as UTF-8, ending with a complete character. */
export function cutBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text
  // A streaming decoder drops an incomplete code point at the end.
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(
    utf8(text.slice(0, max)).subarray(0, max),
    {
      stream: true,
    },
  )
}

// Controls except TAB and LF, and characters that Unicode ignores in display (bidi controls, zero-width, fillers, tags, variation
// selectors): they hide text from a reader. U+FE00–FE0F stay, because ordinary emoji end in them.
const INVISIBLE = /(?![\t\n])\p{Cc}|(?![\uFE00-\uFE0F])\p{Default_Ignorable_Code_Point}/gu

export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** A rough count of model tokens: four characters each, never zero for text. For budgets before the model reports its count. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
