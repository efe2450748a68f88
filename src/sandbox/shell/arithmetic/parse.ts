// Parses arithmetic expressions with the operators of C, plus `**`.

import { ArithmeticError, type Expression } from './tree.ts'

const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]
const ASSIGNS = new Set(['=', '*=', '/=', '%=', '+=', '-=', '<<=', '>>=', '&=', '^=', '|='])
const TOKEN =
  /[ \t\n]*(?:(<<=|>>=|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&^|]=|[-+*/%<>=!~&^|?:,()])|([A-Za-z_]\w*)|(\d[\w#@]*))/y
/** Maximum nesting of parentheses and operators. Each level uses JavaScript's stack. */
const DEPTH_MAX = 500

function withoutBlanks(text: string): string {
  return text.replace(/^[ \t\n]+/, '')
}

/** Throws an `ArithmeticError`. An empty expression is 0. */
export function parseArithmetic(text: string): Expression {
  if (/^[ \t\n]*$/.test(text)) return { kind: 'number', value: 0n }
  const parser = new ArithmeticParser(text)
  const expression = parser.comma()
  parser.end()
  return expression
}

class ArithmeticParser {
  readonly #text: string
  #position = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  end(): void {
    const rest = this.#rest()
    if (rest === '') return
    const known = /^(?:[A-Za-z_0-9(]|\+\+|--)/.test(rest)
    throw new ArithmeticError(
      `syntax error${known ? ' in expression' : ': invalid arithmetic operator'}`,
      rest,
    )
  }

  comma(): Expression {
    let left = this.#assignment()
    while (this.#accept(',')) left = this.#binary(',', left, this.#assignment())
    return left
  }

  #rest(): string {
    return withoutBlanks(this.#text.slice(this.#position))
  }

  /** The operator at the current position; empty if there is none. */
  #operator(): string {
    TOKEN.lastIndex = this.#position
    return TOKEN.exec(this.#text)?.[1] ?? ''
  }

  #accept(operator: string): boolean {
    if (this.#operator() !== operator) return false
    this.#position = TOKEN.lastIndex
    return true
  }

  #binary(operator: string, left: Expression, right: Expression): Expression {
    return { kind: 'binary', operator, left, right, rest: this.#text }
  }

  #assignment(): Expression {
    if (++this.#depth > DEPTH_MAX)
      throw new ArithmeticError('expression recursion level exceeded', this.#rest())
    const target = this.#choice()
    const operator = this.#operator()
    this.#depth--
    if (!ASSIGNS.has(operator)) return target
    if (target.kind !== 'name')
      throw new ArithmeticError('attempted assignment to non-variable', this.#rest())
    this.#position = TOKEN.lastIndex
    const value = this.#assignment()
    return { kind: 'assign', operator: operator.slice(0, -1), target, value, rest: this.#text }
  }

  #choice(): Expression {
    const test = this.#level(0)
    if (!this.#accept('?')) return test
    const yes = this.comma()
    if (!this.#accept(':')) throw new ArithmeticError("`:' expected for conditional expression", this.#rest())
    return { kind: 'choice', test, yes, no: this.#choice() }
  }

  #level(index: number): Expression {
    const operators = LEVELS[index]
    if (!operators) return this.#power()
    let left = this.#level(index + 1)
    for (;;) {
      const operator = this.#operator()
      if (!operators.includes(operator)) return left
      this.#position = TOKEN.lastIndex
      const start = this.#position
      const right = this.#level(index + 1)
      left = { kind: 'binary', operator, left, right, rest: withoutBlanks(this.#text.slice(start)) }
    }
  }

  #power(): Expression {
    const left = this.#unary()
    return this.#accept('**') ? this.#binary('**', left, this.#power()) : left
  }

  #unary(): Expression {
    const operator = this.#operator()
    if (/^[-+!~]$/.test(operator)) {
      this.#position = TOKEN.lastIndex
      if (++this.#depth > DEPTH_MAX)
        throw new ArithmeticError('expression recursion level exceeded', this.#rest())
      const operand = this.#unary()
      this.#depth--
      // The cast is safe: the test above admits only these operators.
      return { kind: 'unary', operator: operator as '-', operand }
    }
    if (operator === '++' || operator === '--') {
      const start = this.#position
      this.#position = TOKEN.lastIndex
      const target = /^[ \t\n]*[A-Za-z_]/.test(this.#text.slice(this.#position)) ? this.#primary() : null
      if (target?.kind === 'name')
        return { kind: 'step', by: operator === '++' ? 1n : -1n, before: true, target }
      // `--5` means `-(-5)`.
      this.#position = start + this.#text.slice(start).indexOf(operator[0] ?? '') + 1
      return { kind: 'unary', operator: operator === '++' ? '+' : '-', operand: this.#unary() }
    }
    const operand = this.#primary()
    const after = this.#operator()
    if (operand.kind === 'name' && (after === '++' || after === '--')) {
      this.#position = TOKEN.lastIndex
      return { kind: 'step', by: after === '++' ? 1n : -1n, before: false, target: operand }
    }
    return operand
  }

  #primary(): Expression {
    TOKEN.lastIndex = this.#position
    const found = TOKEN.exec(this.#text)
    const [, operator, name, digits] = found ?? []
    if (operator === '(') {
      this.#position = TOKEN.lastIndex
      const inner = this.comma()
      if (!this.#accept(')')) throw new ArithmeticError("missing `)'", this.#rest())
      return inner
    }
    if (digits !== undefined) {
      this.#position = TOKEN.lastIndex
      return { kind: 'number', value: numberOf(digits) }
    }
    if (name === undefined) throw new ArithmeticError('syntax error: operand expected', this.#rest())
    this.#position = TOKEN.lastIndex
    return { kind: 'name', name, subscript: this.#text[this.#position] === '[' ? this.#subscript() : null }
  }

  /** Parses a subscript, from its opening bracket. */
  #subscript(): string {
    const start = this.#position + 1
    let depth = 0
    for (let index = this.#position; index < this.#text.length; index++) {
      if (this.#text[index] === '[') depth++
      else if (this.#text[index] === ']' && --depth === 0) {
        this.#position = index + 1
        return this.#text.slice(start, index)
      }
    }
    throw new ArithmeticError('bad array subscript', this.#rest())
  }
}

/** Parses `12`, `0x1f`, `017` or `2#101`. */
function numberOf(digits: string): bigint {
  const based = /^(\d+)#([\w@]*)$/.exec(digits)
  if (based) {
    const base = Number(based[1])
    if (base < 2 || base > 64) throw new ArithmeticError('invalid arithmetic base', digits, digits)
    if (based[2] === '') throw new ArithmeticError('invalid integer constant', digits, digits)
    return inBase(based[2] ?? '', base, digits)
  }
  if (/^0[xX]/.test(digits)) return inBase(digits.slice(2), 16, digits)
  if (/^0\w/.test(digits)) return inBase(digits.slice(1), 8, digits)
  return inBase(digits, 10, digits)
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_'

function inBase(text: string, base: number, token: string): bigint {
  let value = 0n
  const big = BigInt(base)
  for (const char of text) {
    const digit = DIGITS.indexOf(base <= 36 ? char.toLowerCase() : char)
    if (digit === -1 || digit >= base) throw new ArithmeticError('value too great for base', token, token)
    value = BigInt.asIntN(64, value * big + BigInt(digit))
  }
  return value
}
