// Terminal output of scripts: styles that can be disabled, and sanitised text.

import { stripVTControlCharacters, styleText } from 'node:util'

type Style = 'dim' | 'bold' | 'italic' | 'underline' | 'strikethrough' | 'red' | 'green' | 'yellow' | 'cyan'

// Control characters except TAB and LF, and bidirectional controls, which reorder the displayed text. Joiners stay:
// scripts need them.
const UNSAFE = /(?![\t\n])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** Text of a server, a model or a file, without anything that moves the cursor, changes colours or titles. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(UNSAFE, '')
}

/** The same on one line. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/\s+/g, ' ').trim()
}

/** Colours only if NO_COLOR is unset and the stream is a terminal. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream })
}

/** `1.2 s`, `35 ms`: a duration for people. */
export function seconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** A word quoted so that bash does not change it. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
