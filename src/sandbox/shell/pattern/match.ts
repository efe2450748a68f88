// Matches glob patterns against text. Follows all alternatives at the same time, so the number of steps is at most
// polynomial.

import { parsePattern, type PatternItem, type PatternRules } from './parse.ts'

/** Maximum number of cached patterns, because loops use the same patterns repeatedly. */
const CACHE_MAX = 300
const cache = new Map<string, GlobPattern>()

export function compilePattern(text: string, rules: PatternRules): GlobPattern {
  const key = `${rules.extended ? 'x' : '-'}${rules.ignoreCase ? 'i' : '-'}${text}`
  const known = cache.get(key)
  if (known) return known
  const pattern = new GlobPattern(parsePattern(text, rules), rules.ignoreCase)
  if (cache.size >= CACHE_MAX) cache.clear()
  cache.set(key, pattern)
  return pattern
}

export class GlobPattern {
  readonly items: readonly PatternItem[]
  readonly #ignoreCase: boolean
  /** The only text that the pattern matches; null if it has operators. */
  readonly literal: string | null

  constructor(items: readonly PatternItem[], ignoreCase: boolean) {
    this.items = items
    this.#ignoreCase = ignoreCase
    this.literal =
      !ignoreCase && items.every(({ kind }) => kind === 'char')
        ? items.map((item) => (item.kind === 'char' ? item.char : '')).join('')
        : null
  }

  /** Whether the pattern matches the whole text. */
  test(text: string): boolean {
    if (this.literal !== null) return text === this.literal
    return this.#ends(text, 0).at(-1) === text.length
  }

  /** The end positions of matches that begin at `start`, in ascending order. */
  endsAt(text: string, start: number): readonly number[] {
    if (this.literal !== null)
      return text.startsWith(this.literal, start) ? [start + this.literal.length] : []
    return this.#ends(text, start)
  }

  #ends(text: string, start: number): number[] {
    return this.#sequence(this.items, text, [start])
  }

  #sequence(items: readonly PatternItem[], text: string, starts: readonly number[]): number[] {
    let positions = [...starts]
    for (const item of items) {
      if (positions.length === 0) return positions
      positions = this.#item(item, text, positions)
    }
    return positions
  }

  #item(item: PatternItem, text: string, positions: readonly number[]): number[] {
    switch (item.kind) {
      case 'star':
        return allFrom(text, positions[0] ?? 0)
      case 'group':
        return this.#group(item, text, positions)
      case 'char':
      case 'set':
      case 'any': {
        const next: number[] = []
        for (const position of positions) {
          const length = this.#matchedLength(item, text, position)
          if (length > 0) next.push(position + length)
        }
        return next
      }
      default:
        return item satisfies never
    }
  }

  /** The length of one matching character; 0 if it does not match. */
  #matchedLength(
    item: Exclude<PatternItem, { kind: 'star' | 'group' }>,
    text: string,
    position: number,
  ): number {
    if (position >= text.length) return 0
    if (item.kind === 'char') {
      if (text.startsWith(item.char, position)) return item.char.length
      if (!this.#ignoreCase) return 0
      const found = String.fromCodePoint(text.codePointAt(position) ?? 0)
      return found.toLowerCase() === item.char.toLowerCase() ? found.length : 0
    }
    const code = text.codePointAt(position) ?? 0
    if (item.kind === 'set' && !item.set.has(code)) return 0
    return code > 0xff_ff ? 2 : 1
  }

  #group(
    { operator, options }: Extract<PatternItem, { kind: 'group' }>,
    text: string,
    positions: readonly number[],
  ): number[] {
    const once = (starts: readonly number[]): number[] =>
      sorted(options.flatMap((option) => this.#sequence(option, text, starts)))
    if (operator === '!') {
      const found = new Set<number>()
      for (const position of positions) {
        const ends = new Set(once([position]))
        for (const end of allFrom(text, position)) if (!ends.has(end)) found.add(end)
      }
      return sorted([...found])
    }
    const first = once(positions)
    if (operator === '@') return first
    if (operator === '?') return sorted([...positions, ...first])
    const seen = new Set(operator === '*' ? [...positions, ...first] : first)
    let added = first
    while (added.length > 0) {
      added = once(added).filter((end) => !seen.has(end))
      for (const end of added) seen.add(end)
    }
    return sorted([...seen])
  }
}

/** Every boundary between characters at or after `start`. */
function allFrom(text: string, start: number): number[] {
  const positions = [start]
  for (let position = start; position < text.length;) {
    position += (text.codePointAt(position) ?? 0) > 0xff_ff ? 2 : 1
    positions.push(position)
  }
  return positions
}

function sorted(positions: readonly number[]): number[] {
  return [...new Set(positions)].sort((a, b) => a - b)
}

/** The start of the next character. */
export function nextPosition(text: string, position: number): number {
  return position + ((text.codePointAt(position) ?? 0) > 0xff_ff ? 2 : 1)
}
