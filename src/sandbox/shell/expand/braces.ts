// Brace expansion, the first of all expansions: `{a,b}` and `{1..9}`.

import type { Part, Word } from '../syntax/tree.ts'

/** Unquoted text (one character of the source, or a value of a sequence), or another part. */
type Item = string | Exclude<Part, { kind: 'text'; quoted: false }>

/**
 * Expands a word into words. `made` is called with a number of words before or while they are created, and throws if
 * there are too many.
 */
export function expandBraces(word: Word, made: (words: number) => void): readonly Word[] {
  if (
    word.assignment ||
    !word.parts.some((part) => part.kind === 'text' && !part.quoted && part.text.includes('{'))
  )
    return [word]
  const items = word.parts.flatMap((part): Item[] =>
    part.kind === 'text' && !part.quoted ? Array.from(part.text) : [part],
  )
  const expanded = expand(items, made)
  if (expanded.length === 1 && expanded[0]?.length === items.length) return [word]
  return expanded.map((list) => ({ parts: partsOf(list), source: word.source }))
}

function partsOf(items: readonly Item[]): Part[] {
  const parts: Part[] = []
  let text = ''
  for (const item of items) {
    if (typeof item === 'string') {
      text += item
      continue
    }
    if (text !== '') parts.push({ kind: 'text', text, quoted: false })
    text = ''
    parts.push(item)
  }
  if (text !== '') parts.push({ kind: 'text', text, quoted: false })
  return parts
}

function expand(items: readonly Item[], made: (words: number) => void): Item[][] {
  for (let open = items.indexOf('{'); open !== -1; open = items.indexOf('{', open + 1)) {
    const options = optionsAt(items, open, made)
    if (!options) continue
    const before = items.slice(0, open)
    const rests = expand(items.slice(options.end), made)
    const words: Item[][] = []
    for (const option of options.words)
      for (const rest of rests) {
        words.push([...before, ...option, ...rest])
        made(words.length)
      }
    return words
  }
  return [[...items]]
}

/** The expansion of the brace at `open`; null if it is plain text. `end` is the position after the closing brace. */
function optionsAt(
  items: readonly Item[],
  open: number,
  made: (words: number) => void,
): { words: Item[][]; end: number } | null {
  let depth = 0
  const commas: number[] = []
  for (let index = open; index < items.length; index++) {
    const item = items[index]
    if (item === '{') depth++
    else if (item === ',' && depth === 1) commas.push(index)
    else if (item === '}' && --depth === 0) {
      if (commas.length === 0) {
        const words = sequence(items.slice(open + 1, index), made)
        return words && { words, end: index + 1 }
      }
      const bounds = [open, ...commas, index]
      const words = bounds
        .slice(1)
        .flatMap((bound, at) => expand(items.slice((bounds[at] ?? 0) + 1, bound), made))
      return { words, end: index + 1 }
    }
  }
  return null
}

const NUMBERS = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/
const LETTERS = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d+))?$/

function sequence(items: readonly Item[], made: (words: number) => void): Item[][] | null {
  if (!items.every((item) => typeof item === 'string')) return null
  const text = items.join('')
  const numbers = NUMBERS.exec(text)
  const letters = numbers ? null : LETTERS.exec(text)
  const [, first = '', last = '', by] = numbers ?? letters ?? []
  if (first === '') return null
  const [from, to] = numbers ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)]
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return null
  const step = (Math.abs(Number(by ?? 1)) || 1) * (from <= to ? 1 : -1)
  const width =
    numbers && [first, last].some((one) => /^-?0\d/.test(one)) ? Math.max(first.length, last.length) : 0
  // Check before creating words, because creating millions of them would block the shell.
  made(Math.floor(Math.abs(to - from) / Math.abs(step)) + 1)
  const words: Item[][] = []
  for (let value = from; step > 0 ? value <= to : value >= to; value += step)
    words.push([numbers ? padded(value, width) : String.fromCharCode(value)])
  return words
}

function padded(value: number, width: number): string {
  const digits = String(Math.abs(value))
  return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0')
}
