// Evaluates arithmetic expressions in 64 bits, as bash does.

import { parseArithmetic } from './parse.ts'
import { ArithmeticError, type Expression, type Variable } from './tree.ts'

/** Access to the variables of an expression. */
export interface ArithmeticVariables {
  /** The text of a variable; null if it is not set. `subscript` is as written. */
  read(name: string, subscript: string | null): string | null
  write(name: string, subscript: string | null, value: string): void
}

/** Maximum recursion: a variable may contain an expression with variables. */
const RECURSION_MAX = 100
/** Maximum number of cached expressions, because a loop evaluates the same expressions repeatedly. */
const CACHE_MAX = 500
const cache = new Map<string, Expression>()

/** Throws an `ArithmeticError`. */
export function evaluate(text: string, variables: ArithmeticVariables): bigint {
  return new Evaluation(variables).text(text)
}

function parsed(text: string): Expression {
  const known = cache.get(text)
  if (known) return known
  const expression = parseArithmetic(text)
  if (cache.size >= CACHE_MAX) cache.clear()
  cache.set(text, expression)
  return expression
}

class Evaluation {
  readonly #variables: ArithmeticVariables
  #depth = 0
  /** Whether a part is not selected. Its variables are 0, it assigns nothing, and only some errors are reported. */
  #skips = false

  constructor(variables: ArithmeticVariables) {
    this.#variables = variables
  }

  text(text: string): bigint {
    const plain = /^[ \t\n]*(-?(?:0|[1-9]\d{0,15}))[ \t\n]*$/.exec(text)
    if (plain) return BigInt(plain[1] ?? 0)
    if (++this.#depth > RECURSION_MAX) throw new ArithmeticError('expression recursion level exceeded', text)
    try {
      return this.#value(parsed(text))
    } catch (error) {
      if (error instanceof ArithmeticError && this.#depth > 1) error.part ??= text
      throw error
    } finally {
      this.#depth--
    }
  }

  #value(expression: Expression): bigint {
    switch (expression.kind) {
      case 'number':
        return expression.value
      case 'name':
        return this.#read(expression)
      case 'unary': {
        const operand = this.#value(expression.operand)
        if (expression.operator === '!') return operand === 0n ? 1n : 0n
        if (expression.operator === '~') return ~operand
        return expression.operator === '-' ? BigInt.asIntN(64, -operand) : operand
      }
      case 'step': {
        const before = this.#read(expression.target)
        const after = BigInt.asIntN(64, before + expression.by)
        this.#write(expression.target, after)
        return expression.before ? after : before
      }
      case 'binary':
        return this.#binary(expression)
      case 'choice':
        return this.#choice(expression)
      case 'assign': {
        const { operator, target, rest } = expression
        const before = operator === '' ? 0n : this.#read(target)
        const value = this.#value(expression.value)
        const after = operator === '' ? value : this.#apply(operator, before, value, rest)
        this.#write(target, after)
        return after
      }
      default:
        return expression satisfies never
    }
  }

  #binary({ operator, left, right, rest }: Extract<Expression, { kind: 'binary' }>): bigint {
    const first = this.#value(left)
    if (operator !== '&&' && operator !== '||') return this.#apply(operator, first, this.#value(right), rest)
    const isKnown = (first !== 0n) === (operator === '||')
    const second = isKnown ? this.#skip(right) : this.#value(right)
    return (isKnown ? first : second) === 0n ? 0n : 1n
  }

  #choice({ test, yes, no }: Extract<Expression, { kind: 'choice' }>): bigint {
    if (this.#value(test) === 0n) {
      this.#skip(yes)
      return this.#value(no)
    }
    const value = this.#value(yes)
    this.#skip(no)
    return value
  }

  /** bash also computes parts that are not selected, and reports negative exponents in them. */
  #skip(expression: Expression): bigint {
    const before = this.#skips
    this.#skips = true
    const value = this.#value(expression)
    this.#skips = before
    return value
  }

  #apply(operator: string, left: bigint, right: bigint, rest: string): bigint {
    const divides = operator === '/' || operator === '%'
    return apply(operator, left, this.#skips && divides && right === 0n ? 1n : right, rest)
  }

  #read({ name, subscript }: Variable): bigint {
    if (this.#skips) return 0n
    const text = this.#variables.read(name, subscript)
    return text === null || text === '' ? 0n : this.text(text)
  }

  #write({ name, subscript }: Variable, value: bigint): void {
    if (!this.#skips) this.#variables.write(name, subscript, value.toString())
  }
}

function apply(operator: string, left: bigint, right: bigint, rest: string): bigint {
  const truth = (value: boolean): bigint => (value ? 1n : 0n)
  switch (operator) {
    case '+':
      return BigInt.asIntN(64, left + right)
    case '-':
      return BigInt.asIntN(64, left - right)
    case '*':
      return BigInt.asIntN(64, left * right)
    case '/':
    case '%':
      if (right === 0n) throw new ArithmeticError('division by 0', rest)
      return BigInt.asIntN(64, operator === '/' ? left / right : left % right)
    case '**':
      if (right < 0n) throw new ArithmeticError('exponent less than 0', rest)
      return power(left, right)
    case '<<':
      return BigInt.asIntN(64, left << (right & 63n))
    case '>>':
      return left >> (right & 63n)
    case '<':
      return truth(left < right)
    case '>':
      return truth(left > right)
    case '<=':
      return truth(left <= right)
    case '>=':
      return truth(left >= right)
    case '==':
      return truth(left === right)
    case '!=':
      return truth(left !== right)
    case '&':
      return left & right
    case '|':
      return left | right
    case '^':
      return left ^ right
    default:
      return right
  }
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = BigInt.asIntN(64, result * square)
    square = BigInt.asIntN(64, square * square)
  }
  return result
}
