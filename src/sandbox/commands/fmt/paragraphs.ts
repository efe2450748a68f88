// Splits a text into paragraphs as GNU fmt does.

import { Unsupported } from '../command.ts'
import type { Word } from './breaks.ts'

export interface Paragraph {
  readonly words: readonly Word[]
  readonly firstIndent: number
  readonly otherIndent: number
}

export interface Reading {
  readonly style: 'plain' | 'crown' | 'tagged' | 'split'
  /** Uniform spacing: one space between words, two after sentences. */
  readonly uniform: boolean
}

/** GNU fmt holds no more bytes at once, and breaks longer paragraphs into pieces. */
const BYTES_MAX = 4_900
const WORDS_MAX = 990
const TAGGED_INDENT = 3

interface Line {
  readonly indent: number
  /** The text after the indentation. */
  readonly text: string
  readonly isLast: boolean
}

/** Yields paragraphs in order; null for an empty line. */
export function* paragraphsOf(text: string, { style, uniform }: Reading): Generator<Paragraph | null> {
  const lines = linesOf(text)
  let tagIndent = 0
  for (let at = 0; at < lines.length;) {
    const first = lines[at]
    if (!first) return
    if (first.text === '') {
      if (!first.isLast || text.endsWith('\n')) yield null
      at++
      continue
    }
    const words = [...wordsOf(first, uniform)]
    at++
    const follows = (): Line | null => {
      const line = lines[at]
      return line && line.text !== '' ? line : null
    }
    let otherIndent = first.indent
    const second = follows()
    if (style === 'crown') otherIndent = second ? second.indent : first.indent
    else if (style === 'tagged') {
      if (second && second.indent !== first.indent) otherIndent = second.indent
      else if (tagIndent === first.indent) otherIndent = first.indent === 0 ? TAGGED_INDENT : 0
      else otherIndent = tagIndent
      tagIndent = otherIndent
    }
    const isAlone = style === 'split' || (style === 'tagged' && second?.indent === first.indent)
    for (let line = follows(); line && !isAlone && line.indent === otherIndent; line = follows()) {
      words.push(...wordsOf(line, uniform))
      at++
    }
    const last = words.at(-1)
    if (last) words[words.length - 1] = { ...last, period: true, final: true }
    let bytes = 0
    for (const word of words) bytes += word.text.length
    if (bytes > BYTES_MAX || words.length > WORDS_MAX)
      throw new Unsupported('fmt of so long a paragraph', 'fold -s, or python3 with its module textwrap')
    yield { words, firstIndent: first.indent, otherIndent }
  }
}

function linesOf(text: string): readonly Line[] {
  if (text === '') return []
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  return lines.map((line, at) => {
    const [blanks] = /^[ \t]*/.exec(line) ?? ['']
    return {
      indent: columnAfter(blanks, 0),
      text: line.slice(blanks.length),
      isLast: at === lines.length - 1 && !text.endsWith('\n'),
    }
  })
}

function columnAfter(blanks: string, start: number): number {
  let column = start
  for (const char of blanks) column = char === '\t' ? (Math.floor(column / 8) + 1) * 8 : column + 1
  return column
}

function* wordsOf({ indent, text, isLast }: Line, uniform: boolean): Generator<Word> {
  let column = indent
  for (const found of text.matchAll(/([^][^ \t\r\v\f]*)([ \t]*)/g)) {
    const [all, word = '', blanks = ''] = found
    column += word.length
    const after = columnAfter(blanks, column)
    const isEnd = found.index + all.length === text.length
    // Closing brackets and quotes may follow the full stop. A word that consists only of them does not end a sentence.
    const period = /[.?!][)\]'"]*$/.test(word)
    yield wordOf(word, after - column, period, isEnd, isEnd && isLast, uniform)
    column = after
  }
}

function wordOf(
  text: string,
  space: number,
  period: boolean,
  isEnd: boolean,
  isOver: boolean,
  uniform: boolean,
): Word {
  const final = isOver || (period && (isEnd || space > 1))
  return {
    text,
    space: isEnd || uniform ? (final ? 2 : 1) : space,
    opens: /^[(['`"]/.test(text),
    punctuated: /[!-/:-@[-`{-~]$/.test(text),
    period,
    final,
  }
}
