// Compiles expressions to functions.

import { Failed, Unsupported } from '../command.ts'
import { BUILTINS } from './tokens.ts'
import { unwrapped, Left, type Compiled, type Compiler, type Signal } from './compiler.ts'
import { builtin } from './builtins.ts'
import { after, all, constant, direct, map1, map2, then1, waiting, type Code } from './code.ts'
import type { Local, Machine } from './machine.ts'
import type { Argument, Scope } from './scope.ts'
import type { Binary, Comparison, Tree } from './tree.ts'
import { AwkArray, compareValues, isTrue, numberOf, scalar, TypedRegex, type Value } from './values.ts'
import { readLine } from './getline.ts'

const MAX_DEPTH = 3000

export class ExpressionCompiler implements Compiler {
  readonly machine: Machine
  readonly scope: Scope
  readonly functions: ReadonlyMap<string, Compiled>
  /** The value of the last `return` statement. */
  readonly returned: { value: Value }

  constructor(
    machine: Machine,
    scope: Scope,
    functions: ReadonlyMap<string, Compiled>,
    returned: { value: Value },
  ) {
    this.machine = machine
    this.scope = scope
    this.functions = functions
    this.returned = returned
  }

  readonly compile = (tree: Tree): Code<Value> => {
    const { machine, scope, compile } = this
    switch (tree.kind) {
      case 'number':
      case 'string':
        return constant<Value>(tree.value)
      case 'regex':
        return direct(() => (machine.regex(tree.source).test(machine.record.text) ? 1 : 0))
      case 'typed-regex':
        return constant<Value>(new TypedRegex(tree.source))
      case 'name':
      case 'field':
      case 'element':
        return scope.read(tree, compile)
      case 'binary':
        if (
          (tree.operator === '/' || tree.operator === '%') &&
          isZero(tree.right) &&
          tree.left.kind === 'number'
        )
          throw new Failed('error: division by zero attempted', 1)
        return map2(compile(tree.left), compile(tree.right), arithmetic(tree.operator))
      case 'compare':
        return map2(compile(tree.left), compile(tree.right), comparison(tree.operator, machine))
      case 'concat':
        return map2(
          compile(tree.left),
          compile(tree.right),
          (left, right) => machine.text(left) + machine.text(right),
        )
      case 'match':
        return this.#match(tree)
      case 'and':
      case 'or':
        return this.#choice(tree)
      case 'not':
        return map1(compile(tree.of), (value) => (isTrue(value) ? 0 : 1))
      case 'minus':
        return map1(compile(tree.of), (value) => -numberOf(value))
      case 'plus':
        return map1(compile(tree.of), (value) => numberOf(value))
      case 'condition': {
        const [test, yes, no] = [compile(tree.test), compile(tree.yes), compile(tree.no)]
        const run = (value: Value): Value | Promise<Value> => (isTrue(value) ? yes.run() : no.run())
        if (test.waits || yes.waits || no.waits) return then1(test, run)
        return map1(test, run as (value: Value) => Value) // Safe: neither part waits.
      }
      case 'assign':
        return this.#assign(tree)
      case 'step':
        return map1(scope.location(tree.to, compile), (location) => {
          const before = numberOf(scalar(location.value, 'an array'))
          location.value = before + tree.by
          return tree.before ? before + tree.by : before
        })
      case 'in':
        return map2(scope.key(tree.subscripts, compile), scope.array(tree.array, compile), (key, array) =>
          array.map.has(key) ? 1 : 0,
        )
      case 'group': {
        const [only] = tree.list
        if (!only || tree.list.length > 1)
          throw new Failed('syntax error: a list in parentheses stands for no value', 1)
        return compile(only)
      }
      case 'builtin':
        return builtin(tree, this)
      case 'call':
        return this.#call(tree)
      case 'getline':
        return readLine(tree, this)
    }
  }

  #match(tree: Tree & { kind: 'match' }): Code<Value> {
    const { machine, compile } = this
    const [yes, no] = tree.negated ? [0, 1] : [1, 0]
    const right = unwrapped(tree.right)
    if (right.kind === 'regex')
      return map1(compile(tree.left), (left) =>
        machine.regex(right.source).test(machine.text(left)) ? yes : no,
      )
    return map2(compile(tree.left), compile(right), (left, value) =>
      machine.regexOf(value).test(machine.text(left)) ? yes : no,
    )
  }

  #choice(tree: Tree & { kind: 'and' | 'or' }): Code<Value> {
    const [left, right] = [this.compile(tree.left), this.compile(tree.right)]
    const decided = tree.kind === 'or'
    const truth = (value: Value): Value => (isTrue(value) ? 1 : 0)
    const run = (value: Value): Value | Promise<Value> =>
      isTrue(value) === decided ? (decided ? 1 : 0) : after(right.run(), truth)
    if (left.waits || right.waits) return then1(left, run)
    return map1(left, run as (value: Value) => Value) // Safe: neither part waits.
  }

  #assign(tree: Tree & { kind: 'assign' }): Code<Value> {
    const location = this.scope.location(tree.to, this.compile)
    const value = this.compile(tree.value)
    if (tree.operator === '')
      return map2(value, location, (given, to) => {
        if (to.value instanceof AwkArray)
          scalar(to.value, tree.to.kind === 'name' ? tree.to.name : 'an array')
        to.value = given
        return given
      })
    const operation = arithmetic(tree.operator)
    return map2(value, location, (given, to) => {
      const result = operation(scalar(to.value, 'an array'), given)
      to.value = result
      return result
    })
  }

  #call(tree: Tree & { kind: 'call' }): Code<Value> {
    const args = all(tree.args.map((arg) => this.scope.argument(unwrapped(arg), this.compile)))
    if (tree.indirect) {
      const cell = this.scope.cell(tree.name)
      return waiting(() =>
        after(args.run(), (values) => {
          const name = this.machine.text(scalar(cell().value, tree.name))
          const made = this.functions.get(name)
          if (!made && BUILTINS.has(name))
            throw new Unsupported(
              `awk @f of the built-in function ${name}`,
              'a function of the program that calls it',
            )
          if (!made)
            throw new Failed(`fatal: indirect call of \`${name}', which is no function of the program`, 2)
          return this.invoke(made, values)
        }),
      )
    }
    const made = this.functions.get(tree.name)
    if (!made) throw new Failed(`fatal: function \`${tree.name}' not defined`, 2)
    if (tree.args.length > made.tree.parameters.length)
      throw new Failed(`fatal: function \`${tree.name}' called with more arguments than declared`, 2)
    return then1(args, (values) => this.invoke(made, values))
  }

  readonly invoke = ({ tree, body }: Compiled, args: readonly Argument[]): Value | Promise<Value> => {
    const { machine, returned } = this
    const before = machine.frame
    if (++machine.depth > MAX_DEPTH) throw new Unsupported('awk with calls this deep', 'a loop, or python3')
    machine.frame = tree.parameters.map((_, index): Local => {
      const arg = args[index]
      return { value: arg?.value, from: arg?.from ?? null }
    })
    returned.value = undefined
    const ended = (signal: Signal): Value => {
      machine.frame = before
      machine.depth--
      if (signal !== undefined && signal !== 'return') throw new Left(signal)
      const { value } = returned
      returned.value = undefined
      return value
    }
    if (machine.due()) return machine.pause().then(body).then(ended)
    return after(body(), ended)
  }
}

function arithmetic(operator: Binary): (left: Value, right: Value) => Value {
  switch (operator) {
    case '+':
      return (left, right) => numberOf(left) + numberOf(right)
    case '-':
      return (left, right) => numberOf(left) - numberOf(right)
    case '*':
      return (left, right) => numberOf(left) * numberOf(right)
    case '/':
      return (left, right) => numberOf(left) / divisor(right, '')
    case '%':
      return (left, right) => numberOf(left) % divisor(right, " in `%'")
    case '^':
      return (left, right) => power(numberOf(left), numberOf(right))
  }
}

/** Computes integer powers of integers exactly, where `**` may be off by one bit. */
function power(base: number, exponent: number): number {
  if (base === 1 || exponent === 0) return 1
  if (!Number.isInteger(exponent) || exponent < 0 || exponent > 1024) return base ** exponent
  let result = 1
  for (let factor = base, left = exponent; left > 0; left = Math.floor(left / 2), factor *= factor)
    if (left % 2 === 1) result *= factor
  return result
}

function divisor(value: Value, where: string): number {
  const number = numberOf(value)
  if (number === 0) throw new Failed(`fatal: division by zero attempted${where}`, 2)
  return number
}

const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function comparison(operator: Comparison, machine: Machine): (left: Value, right: Value) => Value {
  const holds = HOLDS[operator]
  return (left, right) => (holds(compareValues(left, right, machine)) ? 1 : 0)
}

function isZero(tree: Tree): boolean {
  return tree.kind === 'number' && tree.value === 0
}
