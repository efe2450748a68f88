// Counts, cuts and cleans text by code points.

import { utf8 } from './bytes.ts'

/** The number of code points, which is the contract's unit of length. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/**
 * Converts all line breaks to LF. Works on bytes, because a replacement would split a megabyte of carriage
 * returns into a million pieces. A lone surrogate, which UTF-8 cannot represent, becomes U+FFFD.
 */
export function toLineFeeds(text: string): string {
  if (!text.includes('\r')) return text
  const bytes = utf8(text)
  let length = 0
  let previousByte = 0
  for (const byte of bytes) {
    if (byte !== LINE_FEED || previousByte !== CARRIAGE_RETURN)
      bytes[length++] = byte === CARRIAGE_RETURN ? LINE_FEED : byte
    previousByte = byte
  }
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length))
}

/**
 * Number of lines in the first `end` code units; at least 1. Creates no list, because a text may consist of
 * line breaks only.
 */
export function countLines(text: string, end = text.length): number {
  let count = 1
  for (let index = 0; index < end; index++) if (text.charCodeAt(index) === LINE_FEED) count++
  return count
}

/** Cuts text to at most `max` code points, including an ellipsis if it was cut. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  // A code point takes at most two code units, so anything beyond these is never needed.
  const points = Array.from(text.slice(0, 2 * max + 2))
  return points.length <= max ? text : `${points.slice(0, Math.max(0, max - 1)).join('')}…`
}

/** Cuts text to about `max` characters: two thirds of them from its beginning, one third from its end. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const tailChars = Math.floor(max / 3)
  const head = text.slice(0, Math.max(0, max - tailChars)).toWellFormed()
  const tail = tailChars === 0 ? '' : text.slice(-tailChars).toWellFormed()
  return `${head}\n[… ${text.length - head.length - tail.length} characters are left out …]\n${tail}`
}

/** The beginning of a text: at most `max` bytes of UTF-8, ending with a complete character. */
export function cutBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text
  // With `stream`, the decoder drops an incomplete code point at the end.
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(
    utf8(text.slice(0, max)).subarray(0, max),
    {
      stream: true,
    },
  )
}

// Control characters except TAB and LF, and characters that Unicode ignores when displaying (bidi controls,
// zero-width characters, fillers, tags, variation selectors): they can hide text from a reader. U+FE00–FE0F
// are kept, because ordinary emoji end in them.
const INVISIBLE = /(?![\t\n])\p{Cc}|(?![\uFE00-\uFE0F])\p{Default_Ignorable_Code_Point}/gu

export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** The text on one line and without invisible characters. A line break could otherwise imitate another entry. */
export function plainLine(text: string): string {
  return stripInvisible(text).replace(/\s+/g, ' ').trim()
}
