// Regular expressions of awk: leftmost, longest. They run on RE2, so they take linear time; fixed texts and single
// sets are searched directly.

import { RE2JS, RE2JSException } from 're2js'

import { Unsupported } from '../command.ts'
import { partsOfRegex, type Part } from './regex-parts.ts'
import { re2Text } from './regex-text.ts'

export interface Found {
  readonly start: number
  readonly end: number
}

export class Regex {
  readonly #compiled: RE2JS
  /** The text if the pattern is a fixed text; otherwise null. */
  readonly #text: string | null
  /** A single set of characters with a simple repetition, as a JavaScript pattern, which cannot backtrack. */
  readonly #set: RegExp | null

  constructor(source: string, ignoreCase: boolean) {
    const parts = partsOfRegex(source)
    this.#text = ignoreCase ? null : plainText(parts)
    this.#set = ignoreCase || this.#text !== null ? null : simpleSet(parts)
    try {
      const flags = RE2JS.LONGEST_MATCH | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
      this.#compiled = RE2JS.compile(re2Text(parts), flags)
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error
      throw new Unsupported(`awk with the regular expression /${source}/`, 'python3 (re)')
    }
  }

  test(text: string): boolean {
    if (this.#text !== null) return text.includes(this.#text)
    if (this.#set) {
      this.#set.lastIndex = 0
      return this.#set.test(text)
    }
    return this.#compiled.test(text)
  }

  /** All matches from left to right. An empty match does not directly follow another match. */
  *matches(text: string): Generator<Found> {
    if (this.#text !== null && this.#text !== '') {
      const { length } = this.#text
      for (let at = text.indexOf(this.#text); at !== -1; at = text.indexOf(this.#text, at + length))
        yield { start: at, end: at + length }
      return
    }
    if (this.#set) {
      this.#set.lastIndex = 0
      for (let found = this.#set.exec(text); found; found = this.#set.exec(text))
        yield { start: found.index, end: found.index + found[0].length }
      return
    }
    const matcher = this.#compiled.matcher(text)
    let last = -1
    while (matcher.find()) {
      const found = { start: matcher.start(), end: matcher.end() }
      if (found.start === found.end && found.start === last) continue
      last = found.end
      yield found
    }
  }

  first(text: string): Found | null {
    for (const found of this.matches(text)) return found
    return null
  }

  /** The first match and its groups; null for a group that did not participate. */
  groups(text: string): readonly (Found | null)[] | null {
    const matcher = this.#compiled.matcher(text)
    return matcher.find() ? groupsOf(matcher) : null
  }

  /** All matches with their groups. */
  *allGroups(text: string): Generator<readonly (Found | null)[]> {
    const matcher = this.#compiled.matcher(text)
    let last = -1
    while (matcher.find()) {
      if (matcher.start() === matcher.end() && matcher.start() === last) continue
      last = matcher.end()
      yield groupsOf(matcher)
    }
  }
}

interface Groups {
  groupCount(): number
  start(group?: number): number
  end(group?: number): number
}

function groupsOf(matcher: Groups): readonly (Found | null)[] {
  return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => {
    const start = matcher.start(group)
    return start === -1 ? null : { start, end: matcher.end(group) }
  })
}

function plainText(part: Part): string | null {
  const parts = part.kind === 'sequence' ? part.parts : [part]
  let text = ''
  for (const one of parts) {
    if (one.kind !== 'set' || one.set.negated || one.set.ranges.length !== 1) return null
    const [range] = one.set.ranges
    if (!range || range[0] !== range[1]) return null
    text += String.fromCodePoint(range[0])
  }
  return text
}

function simpleSet(part: Part): RegExp | null {
  const plus = part.kind === 'repeat' && part.min === 1 && part.max === Infinity
  const of = plus ? part.of : part
  if (of.kind !== 'set') return null
  const point = (code: number): string => `\\u{${code.toString(16)}}`
  const ranges = of.set.ranges.map(([from, to]) => `${point(from)}-${point(to)}`).join('')
  // Safe from slow user patterns: one set with one repetition takes linear time.
  return new RegExp(`[${of.set.negated ? '^' : ''}${ranges}]${plus ? '+' : ''}`, 'gu')
}
