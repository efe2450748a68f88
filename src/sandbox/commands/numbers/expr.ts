// `expr`: evaluates its arguments as an expression.

import { Failed, Unsupported, type Command, usage } from '../command.ts'
import { bigInteger, limitDigits } from '../number-size.ts'
import { UnsupportedPattern } from '../pattern/brackets.ts'
import { parsePattern } from '../pattern/parse.ts'
import { Pattern } from '../pattern/pattern.ts'
import { PatternError } from '../pattern/tree.ts'

export const expr: Command = {
  async run(io) {
    const args = io.args[0] === '--' ? io.args.slice(1) : io.args
    if (args.length === 0) throw usage('expr', 'missing operand', 2)
    const parser = new Evaluator(args)
    const value = parser.all()
    await io.stdout.write(`${value}\n`)
    return isNothing(value) ? 1 : 0
  },
}

/** Whether the value is empty or zero. */
function isNothing(value: string): boolean {
  return value === '' || /^-?0+$/.test(value)
}

class Evaluator {
  readonly #args: readonly string[]
  #at = 0

  constructor(args: readonly string[]) {
    this.#args = args
  }

  all(): string {
    const value = this.#or(true)
    const extra = this.#args[this.#at]
    if (extra !== undefined) throw new Failed(`syntax error: unexpected argument ‘${extra}’`, 2)
    return value
  }

  #takes(...words: readonly string[]): string | null {
    const word = this.#args[this.#at]
    if (word === undefined || !words.includes(word)) return null
    this.#at++
    return word
  }

  /** `counts` is false in a part that is only parsed, not evaluated. */
  #or(counts: boolean): string {
    let left = this.#and(counts)
    while (this.#takes('|')) {
      const right = this.#and(counts && isNothing(left))
      if (isNothing(left)) left = isNothing(right) ? '0' : right
    }
    return left
  }

  #and(counts: boolean): string {
    let left = this.#comparison(counts)
    while (this.#takes('&')) {
      const right = this.#comparison(counts && !isNothing(left))
      if (isNothing(left) || isNothing(right)) left = '0'
    }
    return left
  }

  #comparison(counts: boolean): string {
    let left = this.#sum(counts)
    for (;;) {
      const operator = this.#takes('<', '<=', '=', '==', '!=', '>=', '>')
      if (operator === null) return left
      const right = this.#sum(counts)
      const order =
        isInteger(left) && isInteger(right)
          ? compare(integer(left), integer(right))
          : compare(sortable(left), sortable(right))
      const holds = {
        '<': order < 0,
        '<=': order <= 0,
        '=': order === 0,
        '==': order === 0,
        '!=': order !== 0,
        '>=': order >= 0,
        '>': order > 0,
      }[operator]
      left = holds === true ? '1' : '0'
    }
  }

  #sum(counts: boolean): string {
    let left = this.#product(counts)
    for (;;) {
      const operator = this.#takes('+', '-')
      if (operator === null) return left
      const right = this.#product(counts)
      if (!counts) continue
      const [one, other] = [integer(left), integer(right)]
      left = String(operator === '+' ? one + other : one - other)
    }
  }

  #product(counts: boolean): string {
    let left = this.#match(counts)
    for (;;) {
      const operator = this.#takes('*', '/', '%')
      if (operator === null) return left
      const right = this.#match(counts)
      if (!counts) continue
      const [one, other] = [integer(left), integer(right)]
      if (operator !== '*' && other === 0n) throw new Failed('division by zero', 2)
      if (operator === '*') limitDigits(left.length + right.length)
      left = String(operator === '*' ? one * other : operator === '/' ? one / other : one % other)
    }
  }

  #match(counts: boolean): string {
    let left = this.#function(counts)
    while (this.#takes(':')) {
      const right = this.#function(counts)
      if (counts) left = matched(left, right)
    }
    return left
  }

  #function(counts: boolean): string {
    if (this.#takes('+')) return this.#word()
    if (this.#takes('length')) return String(Array.from(this.#function(counts)).length)
    if (this.#takes('match')) {
      const text = this.#function(counts)
      const pattern = this.#function(counts)
      return counts ? matched(text, pattern) : text
    }
    if (this.#takes('index')) {
      const text = Array.from(this.#function(counts))
      const wanted = new Set(this.#function(counts))
      return String(text.findIndex((char) => wanted.has(char)) + 1)
    }
    if (this.#takes('substr')) {
      const text = this.#function(counts)
      const [from, count] = [this.#function(counts), this.#function(counts)]
      if (!isInteger(from) || !isInteger(count) || integer(from) <= 0n || integer(count) <= 0n) return ''
      const start = Number(from) - 1
      return Array.from(text)
        .slice(start, start + Number(count))
        .join('')
    }
    if (this.#takes('(')) {
      const value = this.#or(counts)
      const close = this.#args[this.#at]
      if (close === undefined)
        throw new Failed(`syntax error: expecting ')' after ‘${this.#args[this.#at - 1] ?? ''}’`, 2)
      if (close !== ')') throw new Failed(`syntax error: expecting ')' instead of ‘${close}’`, 2)
      this.#at++
      return value
    }
    if (this.#args[this.#at] === ')') throw new Failed(`syntax error: unexpected ')'`, 2)
    return this.#word()
  }

  #word(): string {
    const word = this.#args[this.#at]
    if (word === undefined)
      throw new Failed(`syntax error: missing argument after ‘${this.#args[this.#at - 1] ?? ''}’`, 2)
    this.#at++
    return word
  }
}

function isInteger(text: string): boolean {
  return /^-?\d+$/.test(text)
}

function integer(text: string): bigint {
  if (!isInteger(text)) throw new Failed('non-integer argument', 2)
  return bigInteger(text)
}

function compare<T extends string | bigint>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/**
 * Makes code units sort in code point order: those above the surrogates would otherwise sort before characters beyond
 * U+FFFF.
 */
function sortable(text: string): string {
  if (/[\uD800-\uFFFF]/.test(text)) throw new Unsupported('expr comparing such characters', 'sort or python3')
  return text
}

/** The text of the first group, or else the number of characters that match at the start. */
function matched(text: string, pattern: string): string {
  try {
    const { tree, groups } = parsePattern(pattern, { extended: false, ignoreCase: false })
    const anchored = new Pattern(
      { kind: 'sequence', items: [{ kind: 'mark', mark: 'textStart' }, tree] },
      { groups, ignoreCase: false },
    )
    const found = anchored.find(text)
    if (groups > 0) return found ? found.group(1) : ''
    return found ? String(Array.from(text.slice(0, found.end)).length) : '0'
  } catch (error) {
    if (error instanceof PatternError) throw new Failed(error.message, 2)
    if (error instanceof UnsupportedPattern) throw new Unsupported(`expr: ${error.message}`, 'awk')
    throw error
  }
}
