// Splits a text into fields by FS, FPAT or FIELDWIDTHS.

import { Failed } from '../command.ts'
import { charactersOf, lengthOf } from './characters.ts'
import type { Regex } from './regex.ts'

export interface Split {
  readonly parts: readonly string[]
  /** The texts between the fields, before the first (`before`) and after the last. */
  readonly between: readonly string[]
  readonly before: string
  readonly after: string
}

export type Splitter = (text: string) => readonly string[]

const BLANKS = /[ \t\n]+/

/** Like FS=" ". */
export function splitBlanks(text: string): readonly string[] {
  const parts = text.split(BLANKS)
  if (parts[0] === '') parts.shift()
  if (parts.length > 0 && parts.at(-1) === '') parts.pop()
  return parts
}

export function splitBlanksFully(text: string): Split {
  const parts = splitBlanks(text)
  const between = [...text.matchAll(/[ \t\n]+/g)].map(([blank]) => blank)
  const before = /^[ \t\n]/.test(text) ? (between.shift() ?? '') : ''
  const after = between.length >= parts.length && parts.length > 0 ? (between.pop() ?? '') : ''
  return { parts, between, before, after }
}

/** Ignores empty matches. */
export function splitByRegex(text: string, regex: Regex): Split {
  if (text === '') return { parts: [], between: [], before: '', after: '' }
  const parts: string[] = []
  const between: string[] = []
  let from = 0
  for (const { start, end } of regex.matches(text)) {
    if (start === end) continue
    parts.push(text.slice(from, start))
    between.push(text.slice(start, end))
    from = end
  }
  parts.push(text.slice(from))
  return { parts, between, before: '', after: '' }
}

/** Splits by FPAT, whose matches are the fields. */
export function splitByContent(text: string, regex: Regex): Split {
  const parts: string[] = []
  const between: string[] = []
  let from = 0
  let before = ''
  for (const { start, end } of regex.matches(text)) {
    const gap = text.slice(from, start)
    if (parts.length === 0) before = gap
    else between.push(gap)
    parts.push(text.slice(start, end))
    from = end
  }
  return { parts: text === '' ? [] : parts, between, before, after: text.slice(from) }
}

/** Parses FIELDWIDTHS: numbers, `skip:width`, and `*` for the rest. */
export function widthSplitter(widths: string): Splitter {
  const columns = splitBlanks(widths).map((word, index, words) => {
    const match = /^(?:([0-9]+):)?([0-9]+|\*)$/.exec(word)
    if (!match || (match[2] === '*' && index < words.length - 1))
      throw new Failed(`fatal: invalid FIELDWIDTHS value, for field ${index + 1}, near \`${word}'`, 2)
    return { skip: Number(match[1] ?? 0), width: match[2] === '*' ? Infinity : Number(match[2]) }
  })
  return (text) => {
    const parts: string[] = []
    const length = lengthOf(text)
    let at = 0
    for (const { skip, width } of columns) {
      at += skip
      if (at >= length) break
      parts.push(charactersOf(text, at, at + width))
      at += width
    }
    return parts
  }
}
