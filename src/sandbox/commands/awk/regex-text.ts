// Translates regular expressions to patterns for RE2.

import { Unsupported } from '../command.ts'
import { LAST, WORD, type CharacterSet, type Part } from './regex-parts.ts'

function point(code: number): string {
  return /[A-Za-z0-9_ ,;"#%&'/:<=>@`~-]/.test(String.fromCodePoint(code)) && code !== 45
    ? String.fromCodePoint(code)
    : `\\x{${code.toString(16)}}`
}

/** The set as a bracket expression for RE2. */
function setText({ ranges, negated }: CharacterSet): string {
  const [only] = ranges
  if (only && ranges.length === 1 && !negated) {
    if (only[0] === 0 && only[1] === LAST) return '(?s:.)'
    if (only[0] === only[1]) return point(only[0])
  }
  return `[${negated ? '^' : ''}${ranges.map(([from, to]) => (from === to ? point(from) : `${point(from)}-${point(to)}`)).join('')}]`
}

/** The pattern for RE2. */
export function re2Text(part: Part): string {
  switch (part.kind) {
    case 'set':
      return setText(part.set)
    case 'start':
      return '\\A'
    case 'end':
      return '\\z'
    case 'boundary':
      return '\\b'
    case 'inside':
      return '\\B'
    case 'word-start':
    case 'word-end':
      throw new Unsupported(`awk with \\${part.kind === 'word-start' ? '<' : '>'} here`, '\\y')
    case 'empty':
      return '(?:)'
    case 'group':
      return `(${re2Text(part.of)})`
    case 'choice':
      return part.parts.map(re2Text).join('|')
    case 'sequence':
      return sequenceText(part.parts)
    case 'repeat': {
      const of =
        part.of.kind === 'set' || part.of.kind === 'group' ? re2Text(part.of) : `(?:${re2Text(part.of)})`
      return `${of}${boundsText(part.min, part.max)}`
    }
  }
}

/** Replaces the start of a word before a word character, and the end of a word after one, by word boundaries. */
function sequenceText(parts: readonly Part[]): string {
  return parts
    .map((part, index) => {
      const wordAfter = part.kind === 'word-start' && wordly(parts[index + 1])
      const wordBefore = part.kind === 'word-end' && wordly(parts[index - 1])
      return wordAfter || wordBefore ? '\\b' : re2Text(part)
    })
    .join('')
}

/** Whether the part matches only word characters, and at least one. */
function wordly(part: Part | undefined): boolean {
  if (part?.kind === 'set') {
    const { ranges, negated } = part.set
    return !negated && ranges.every(([from, to]) => WORD.some(([low, high]) => from >= low && to <= high))
  }
  if (part?.kind === 'group') return wordly(part.of)
  if (part?.kind === 'choice') return part.parts.every(wordly)
  if (part?.kind === 'sequence') return part.parts.length > 0 && part.parts.every(wordly)
  return part?.kind === 'repeat' && part.min > 0 && wordly(part.of)
}

function boundsText(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === 0 && max === 1 ? '?' : min === max ? `{${min}}` : `{${min},${max}}`
}
