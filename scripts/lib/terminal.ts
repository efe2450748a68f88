// Formats terminal output: styles that can be disabled, and untrusted text made safe.

import { stripVTControlCharacters, styleText } from 'node:util'

type Style = 'dim' | 'bold' | 'italic' | 'underline' | 'strikethrough' | 'red' | 'green' | 'yellow' | 'cyan'

// Control characters except TAB and LF, and bidirectional controls, which reorder the displayed text. Joiners are
// allowed, because some languages need them.
const UNSAFE = /(?![\t\n])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** Removes everything from untrusted text that could move the cursor, change colours or set titles. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(UNSAFE, '')
}

/** Like `harmless`, but on one line. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/\s+/g, ' ').trim()
}

/** Styles a text, but only if NO_COLOR is unset and the stream is a terminal. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream })
}

/** A duration for people, such as `1.2 s` or `35 ms`. */
export function formatDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** Quotes typed or received text for a shell if necessary. */
export function shellWord(word: string): string {
  const harmlessWord = harmlessLine(word)
  return /^[\w:/.-]+$/.test(harmlessWord) ? harmlessWord : shellQuote(harmlessWord)
}

/** Quotes a word so that a shell takes it literally. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
