// Runs a `bc` program.

import { Unsupported } from '../command.ts'
import { parsed, written } from './bases.ts'
import { unescaped } from './escapes.ts'
import { MATH } from './math.ts'
import * as N from './number.ts'
import { BcError, num, ONE, ZERO, type Num } from './number.ts'
import { applied } from './operators.ts'
import type { Argument, BcFunction, Expression, Location, Statement, Unit } from './tree.ts'

type Ending = 'next' | 'break' | 'continue' | 'return' | 'halt'

/** Maximum depth of nested calls. */
const CALLS_MAX = 500

export interface BcOutput {
  /** Length at which long numbers are wrapped; 0 to never wrap. */
  readonly lineLength: number
  write(text: string): Promise<void>
  error(message: string): Promise<void>
}

export class BcMachine {
  readonly #output: BcOutput
  readonly #functions = new Map<string, BcFunction>()
  readonly #hasMath: boolean
  #variables = new Map<string, Num>()
  #arrays = new Map<string, Map<string, Num>>()
  #settings = { ibase: 10, obase: 10, scale: 0 }
  #last: Num = ZERO
  #returned: Num = ZERO
  #column = 0
  #calls = 0

  constructor(output: BcOutput, hasMath: boolean) {
    this.#output = output
    this.#hasMath = hasMath
    if (hasMath) this.#settings.scale = 20
  }

  /** Runs one unit. Returns false if the program has ended. */
  async unit(unit: Unit): Promise<boolean> {
    if ('quits' in unit) return false
    if ('name' in unit) {
      this.#functions.set(unit.name, unit)
      return true
    }
    const [variables, arrays] = [this.#variables, this.#arrays]
    try {
      for (const statement of unit.statements) if ((await this.#statement(statement)) === 'halt') return false
    } catch (error) {
      if (error instanceof N.TooLarge) throw new Unsupported('bc with numbers of so many digits', 'python3')
      if (!(error instanceof BcError)) throw error
      // Skips the rest of the line and continues with the next one.
      await this.#output.error(`Runtime error: ${error.message}`)
      ;[this.#variables, this.#arrays, this.#calls] = [variables, arrays, 0]
    }
    return true
  }

  async #statement(statement: Statement): Promise<Ending> {
    switch (statement.kind) {
      case 'expression':
        await this.#shown(statement.value)
        return 'next'
      case 'text':
        await this.#text(statement.text)
        return 'next'
      case 'print':
        for (const item of statement.items)
          if (typeof item === 'string') await this.#text(unescaped(item))
          else await this.#number((this.#last = await this.#value(item)))
        return 'next'
      case 'block':
        return this.#all(statement.body)
      case 'if':
        if (await this.#holds(statement.test)) return this.#statement(statement.body)
        return statement.otherwise ? this.#statement(statement.otherwise) : 'next'
      case 'while':
        return this.#loop(null, statement.test, null, statement.body)
      case 'for':
        return this.#loop(statement.start, statement.test, statement.step, statement.body)
      case 'return':
        this.#returned = statement.value ? await this.#value(statement.value) : ZERO
        return 'return'
      case 'break':
      case 'continue':
        return statement.kind
      case 'halt':
      case 'quit':
      default:
        return 'halt'
    }
  }

  async #all(statements: readonly Statement[]): Promise<Ending> {
    for (const statement of statements) {
      const ending = await this.#statement(statement)
      if (ending !== 'next') return ending
    }
    return 'next'
  }

  async #loop(
    start: Expression | null,
    test: Expression | null,
    step: Expression | null,
    body: Statement,
  ): Promise<Ending> {
    if (start) await this.#value(start)
    while (!test || (await this.#holds(test))) {
      const ending = await this.#statement(body)
      if (ending === 'break') return 'next'
      if (ending === 'return' || ending === 'halt') return ending
      if (step) await this.#value(step)
    }
    return 'next'
  }

  async #shown(value: Expression): Promise<void> {
    const result = await this.#value(value)
    if (value.kind === 'assign') return
    if (value.kind === 'call' && this.#functions.get(value.name)?.isVoid === true) return
    this.#last = result
    await this.#number(result)
    await this.#text('\n')
  }

  async #holds(test: Expression): Promise<boolean> {
    return (await this.#value(test)).digits !== 0n
  }

  async #value(expression: Expression): Promise<Num> {
    switch (expression.kind) {
      case 'number':
        return parsed(expression.text, this.#settings.ibase)
      case 'location':
        return this.#read(expression.location, await this.#index(expression.location))
      case 'assign': {
        const { location, operator } = expression
        const index = await this.#index(location)
        const before = operator === '' ? null : this.#read(location, index)
        const value = await this.#value(expression.value)
        const result = before ? applied(operator, before, value, this.#settings.scale) : value
        this.#write(location, index, result)
        return location.kind === 'setting' ? this.#read(location, index) : result
      }
      case 'step': {
        const { location, by, before } = expression
        const index = await this.#index(location)
        const value = this.#read(location, index)
        const next = N.add(value, num(by))
        this.#write(location, index, next)
        return before ? next : value
      }
      case 'negative':
        return N.negate(await this.#value(expression.value))
      case 'not':
        return (await this.#holds(expression.value)) ? ZERO : ONE
      case 'group':
        return this.#value(expression.value)
      case 'built-in': {
        const value = await this.#value(expression.value)
        if (expression.name === 'sqrt') return N.squareRoot(value, this.#settings.scale)
        return num(expression.name === 'length' ? N.lengthOf(value) : value.scale)
      }
      case 'call':
        return this.#call(expression.name, expression.args)
      case 'binary':
      default: {
        const left = await this.#value(expression.left)
        const right = await this.#value(expression.right)
        return applied(expression.operator, left, right, this.#settings.scale)
      }
    }
  }

  /** The index of an array element; empty for other locations. */
  async #index(location: Location): Promise<string> {
    if (location.kind !== 'element') return ''
    const index = N.rescaled(await this.#value(location.index), 0).digits
    if (index < 0n || index > 16_777_215n)
      throw new BcError(`Array ${location.name} subscript out of bounds.`)
    return index.toString()
  }

  #read(location: Location, index: string): Num {
    if (location.kind === 'variable') return this.#variables.get(location.name) ?? ZERO
    if (location.kind === 'element') return this.#arrays.get(location.name)?.get(index) ?? ZERO
    return location.name === 'last' ? this.#last : num(this.#settings[location.name])
  }

  #write(location: Location, index: string, value: Num): void {
    if (location.kind === 'variable') this.#variables.set(location.name, value)
    else if (location.kind === 'element') {
      const array = this.#arrays.get(location.name) ?? new Map<string, Num>()
      array.set(index, value)
      this.#arrays.set(location.name, array)
    } else if (location.name === 'last') this.#last = value
    else {
      const whole = Number(N.rescaled(value, 0).digits)
      const [least, most] = { ibase: [2, 16], obase: [2, 999_999_999], scale: [0, 100_000] }[
        location.name
      ] as [number, number]
      if (whole < least || whole > most)
        throw new Unsupported(`bc with ${location.name}=${whole}`, `a number from ${least} to ${most}`)
      this.#settings[location.name] = whole
    }
  }

  async #call(name: string, args: readonly Argument[]): Promise<Num> {
    const own = this.#functions.get(name)
    const math = this.#hasMath && Object.hasOwn(MATH, name) ? MATH[name] : undefined
    if (!own && !math) throw new BcError(`Function ${name} not defined.`)
    const count = own ? own.parameters.length : (math?.count ?? 0)
    if (args.length !== count) throw new BcError('Parameter number mismatch')
    if (++this.#calls > CALLS_MAX) throw new Unsupported('bc with so deep a recursion', 'a loop, or python3')
    const result = own ? await this.#ownCall(own, args) : await this.#mathCall(math?.run, args)
    this.#calls--
    return result
  }

  async #mathCall(
    run: ((args: readonly Num[], scale: number) => Promise<Num>) | undefined,
    args: readonly Argument[],
  ): Promise<Num> {
    const values: Num[] = []
    for (const arg of args) if (arg.kind !== 'array') values.push(await this.#value(arg))
    const { scale } = this.#settings
    if (scale > 1_000) throw new Unsupported(`bc -l with scale=${scale}`, 'a scale up to 1000')
    return (await run?.(values, scale)) ?? ZERO
  }

  async #ownCall(own: BcFunction, args: readonly Argument[]): Promise<Num> {
    const given: (Num | Map<string, Num>)[] = []
    for (const [at, arg] of args.entries()) {
      const isArray = own.parameters[at]?.isArray === true
      if (isArray !== (arg.kind === 'array')) throw new BcError('Parameter type mismatch')
      given.push(arg.kind === 'array' ? new Map(this.#arrays.get(arg.name)) : await this.#value(arg))
    }
    // Local names hide the caller's variables until the function returns.
    const names = [...own.parameters, ...own.locals]
    const before = names.map(({ name, isArray }) =>
      isArray ? this.#arrays.get(name) : this.#variables.get(name),
    )
    names.forEach(({ name, isArray }, at) => {
      const value = given[at]
      if (isArray) this.#arrays.set(name, value instanceof Map ? value : new Map())
      else this.#variables.set(name, value === undefined || value instanceof Map ? ZERO : value)
    })
    this.#returned = ZERO
    const ending = await this.#all(own.body)
    if (ending === 'halt') throw new Unsupported('bc with halt in a function', 'return')
    const result = ending === 'return' ? this.#returned : ZERO
    names.forEach(({ name, isArray }, at) => {
      const value = before[at]
      if (isArray) this.#arrays.set(name, value instanceof Map ? value : new Map())
      else this.#variables.set(name, value === undefined || value instanceof Map ? ZERO : value)
    })
    return result
  }

  async #number(value: Num): Promise<void> {
    await this.#text(written(value, this.#settings.obase))
  }

  /** Wraps a long line with backslashes. */
  async #text(text: string): Promise<void> {
    const { lineLength } = this.#output
    let wrapped = ''
    for (const char of text) {
      if (char === '\n') this.#column = 0
      else if (++this.#column === lineLength - 1 && lineLength !== 0) {
        wrapped += '\\\n'
        this.#column = 1
      }
      wrapped += char
    }
    await this.#output.write(wrapped)
  }
}
