// `test` and `[`: evaluate a condition.

import { bigInteger } from '../../commands/number-size.ts'
import { compareFiles, testUnary, UNARY_OPERATORS } from '../state/file-tests.ts'
import { CommandError } from '../state/flow.ts'
import { byCodePoints } from '../state/variables.ts'
import type { Shell } from '../state/shell.ts'
import { wholeDigits, type Builtin } from './builtin.ts'

const BINARY = new Set([
  '=',
  '==',
  '!=',
  '<',
  '>',
  '-eq',
  '-ne',
  '-lt',
  '-le',
  '-gt',
  '-ge',
  '-nt',
  '-ot',
  '-ef',
])

export const test: Builtin = async ({ shell, args }) => evaluate(shell, args)

export const bracket: Builtin = async ({ shell, args }) => {
  if (args.at(-1) !== ']') throw new CommandError("missing `]'", 2)
  return evaluate(shell, args.slice(0, -1))
}

async function evaluate(shell: Shell, args: readonly string[]): Promise<number> {
  return (await byCount(shell, args)) ? 0 : 1
}

/** POSIX defines the meaning of up to four arguments; more are parsed as an expression. */
async function byCount(shell: Shell, args: readonly string[]): Promise<boolean> {
  const [first = '', second = '', third = ''] = args
  switch (args.length) {
    case 0:
      return false
    case 1:
      return first !== ''
    case 2:
      if (first === '!') return second === ''
      if (UNARY_OPERATORS.test(first)) return testUnary(shell, first, second)
      throw new CommandError(`${first}: unary operator expected`, 2)
    case 3:
      if (BINARY.has(second)) return binary(shell, first, second, third)
      if (second === '-a') return first !== '' && third !== ''
      if (second === '-o') return first !== '' || third !== ''
      if (first === '!') return !(await byCount(shell, args.slice(1)))
      if (first === '(' && third === ')') return second !== ''
      throw new CommandError(`${second}: binary operator expected`, 2)
    case 4:
      if (first === '!') return !(await byCount(shell, args.slice(1)))
      if (first === '(' && args[3] === ')') return byCount(shell, args.slice(1, 3))
      break
    default:
  }
  const expression = new TestExpression(shell, args)
  const value = await expression.or()
  expression.end()
  return value
}

class TestExpression {
  readonly #shell: Shell
  readonly #args: readonly string[]
  #index = 0

  constructor(shell: Shell, args: readonly string[]) {
    this.#shell = shell
    this.#args = args
  }

  end(): void {
    if (this.#index < this.#args.length) throw new CommandError('too many arguments', 2)
  }

  async or(): Promise<boolean> {
    let value = await this.#and()
    while (this.#args[this.#index] === '-o') {
      this.#index++
      const right = await this.#and()
      value ||= right
    }
    return value
  }

  async #and(): Promise<boolean> {
    let value = await this.#term()
    while (this.#args[this.#index] === '-a') {
      this.#index++
      const right = await this.#term()
      value &&= right
    }
    return value
  }

  async #term(): Promise<boolean> {
    const [first, second, third] = this.#args.slice(this.#index, this.#index + 3)
    if (first === undefined) throw new CommandError('argument expected', 2)
    if (first === '!') {
      this.#index++
      return !(await this.#term())
    }
    if (second !== undefined && third !== undefined && BINARY.has(second)) {
      this.#index += 3
      return binary(this.#shell, first, second, third)
    }
    if (first === '(') {
      this.#index++
      const value = await this.or()
      if (this.#args[this.#index++] !== ')') throw new CommandError("`)' expected", 2)
      return value
    }
    if (UNARY_OPERATORS.test(first) && second !== undefined) {
      this.#index += 2
      return testUnary(this.#shell, first, second)
    }
    this.#index++
    return first !== ''
  }
}

async function binary(shell: Shell, left: string, operator: string, right: string): Promise<boolean> {
  switch (operator) {
    case '=':
    case '==':
      return left === right
    case '!=':
      return left !== right
    case '<':
      return byCodePoints(left, right) < 0
    case '>':
      return byCodePoints(left, right) > 0
    case '-nt':
    case '-ot':
    case '-ef':
      return compareFiles(shell, left, operator, right)
    default:
      return compareNumbers(whole(left), operator, whole(right))
  }
}

export function compareNumbers(left: bigint, operator: string, right: bigint): boolean {
  switch (operator) {
    case '-eq':
      return left === right
    case '-ne':
      return left !== right
    case '-lt':
      return left < right
    case '-le':
      return left <= right
    case '-gt':
      return left > right
    default:
      return left >= right
  }
}

function whole(text: string): bigint {
  const digits = wholeDigits(text)
  if (digits === null) throw new CommandError(`${text}: integer expression expected`, 2)
  return bigInteger(digits)
}
