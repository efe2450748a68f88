// Compiles statements to functions. A statement that takes many steps returns a promise and continues later.

import { Failed } from '../command.ts'
import { after, all, map1, type Code } from './code.ts'
import { compareValues, isTrue, numberOf, textOf, TypedRegex, type Value } from './values.ts'
import { formatted } from './printf.ts'
import type { Compiler, Signal } from './compiler.ts'
import type { Statement, Tree } from './tree.ts'
import { orderedKeys } from './order.ts'

export type Run = () => Signal | Promise<Signal>

export class StatementCompiler {
  readonly #compiler: Compiler
  /** The exit code, once `exit` has set it. */
  readonly #exit: { code: number }

  constructor(compiler: Compiler, exit: { code: number }) {
    this.#compiler = compiler
    this.#exit = exit
  }

  readonly compile = (tree: Statement): Run => {
    const { compile, machine, scope } = this.#compiler
    switch (tree.kind) {
      case 'expression': {
        const { run, waits } = compile(tree.of)
        if (waits) return () => after(run(), () => undefined)
        return () => {
          void run()
          return undefined
        }
      }
      case 'print':
      case 'printf':
        return this.#print(tree)
      case 'block':
        return block(tree.statements.map(this.compile))
      case 'if': {
        const test = compile(tree.test)
        const yes = this.compile(tree.yes)
        const no = tree.no ? this.compile(tree.no) : (): Signal => undefined
        return () => after(test.run(), (value) => (isTrue(value) ? yes() : no()))
      }
      case 'while':
        return this.#loop(tree.test, null, tree.body, true)
      case 'do':
        return this.#loop(tree.test, null, tree.body, false)
      case 'for': {
        const first = tree.first ? this.compile(tree.first) : null
        const loop = this.#loop(tree.test, tree.next, tree.body, true)
        return first ? () => after(first(), loop) : loop
      }
      case 'for-in':
        return this.#forIn(tree)
      case 'switch':
        return this.#switch(tree)
      case 'break':
      case 'continue':
      case 'next':
      case 'nextfile':
        return () => tree.kind
      case 'exit': {
        const value = tree.value ? compile(tree.value) : null
        return () =>
          after(value?.run(), (code) => {
            if (value) this.#exit.code = Math.trunc(numberOf(code)) & 255
            return 'exit'
          })
      }
      case 'return': {
        const value = tree.value ? compile(tree.value) : null
        return () =>
          after(value?.run(), (result) => {
            this.#compiler.returned.value = result
            return 'return'
          })
      }
      case 'delete': {
        const array = scope.array(tree.array, compile)
        if (tree.subscripts.length === 0)
          return () => after(array.run(), ({ map }) => ended(() => map.clear()))
        const key = scope.key(tree.subscripts, compile)
        return () =>
          after(array.run(), ({ map }) => after(key.run(), (name) => ended(() => map.delete(name))))
      }
      default:
        throw new Failed(`a statement is not known to ${machine.io.name}`, 2)
    }
  }

  #print(tree: Statement & { kind: 'print' | 'printf' }): Run {
    const { compile, machine } = this.#compiler
    const { streams } = machine
    const text = tree.kind === 'print' ? this.#printed(tree.args) : this.#formatted(tree.args)
    if (!tree.redirection) return () => after(text.run(), (line) => ended(() => streams.print(line)))
    const { operator } = tree.redirection
    const target = compile(tree.redirection.to)
    return () =>
      after(text.run(), (line) =>
        after(target.run(), (value) => {
          const name = machine.text(value)
          if (name === '')
            throw new Failed(`fatal: expression for \`${operator}' redirection has null string value`, 2)
          if (streams.write(operator, name, line)) return undefined
          return streams.open(operator, name).then(() => ended(() => streams.write(operator, name, line)))
        }),
      )
  }

  #printed(args: readonly Tree[]): Code<string> {
    const { compile, machine } = this.#compiler
    if (args.length === 0) return { run: () => machine.record.text + machine.outputEnd, waits: false }
    const shown = (value: Value): string =>
      typeof value === 'string' ? value : textOf(value, machine.outputFormat)
    const [first] = args
    if (args.length === 1 && first) return map1(compile(first), (value) => shown(value) + machine.outputEnd)
    return map1(
      all(args.map(compile)),
      (values) => values.map(shown).join(machine.outputSeparator) + machine.outputEnd,
    )
  }

  #formatted(args: readonly Tree[]): Code<string> {
    const { compile, machine } = this.#compiler
    if (args.length === 0) throw new Failed('printf: no format', 1)
    return map1(all(args.map(compile)), ([format, ...values]) =>
      formatted(machine.text(format), values, machine.convert),
    )
  }

  #loop(testTree: Tree | null, nextTree: Statement | null, bodyTree: Statement, testFirst: boolean): Run {
    const { compile, machine } = this.#compiler
    const test = testTree ? compile(testTree).run : (): Value => 1
    const next = nextTree ? this.compile(nextTree) : null
    const body = this.compile(bodyTree)
    const later = async (
      phase: 'test' | 'body',
      value: Promise<Value> | Promise<Signal> | null,
    ): Promise<Signal> => {
      let going: 'test' | 'body' | null = phase
      let pending = value
      for (;;) {
        if (going === 'test') {
          const tested = pending ? await pending : await test()
          pending = null
          if (!isTrue(tested)) return undefined
        }
        // The cast is safe: after the phase `body`, the pending value is the body's signal.
        const signal = (going === 'body' && pending ? await pending : await body()) as Signal
        pending = null
        going = 'test'
        if (signal === 'break') return undefined
        if (signal !== undefined && signal !== 'continue') return signal
        if (next) await next()
        if (machine.due()) await machine.pause()
      }
    }
    return () => {
      let tests = testFirst
      for (;;) {
        if (tests) {
          const tested = test()
          if (tested instanceof Promise) return later('test', tested)
          if (!isTrue(tested)) return undefined
        }
        tests = true
        const signal = body()
        if (signal instanceof Promise) return later('body', signal)
        if (signal === 'break') return undefined
        if (signal !== undefined && signal !== 'continue') return signal
        const stepped = next?.()
        if (stepped instanceof Promise) return stepped.then(async () => later('test', null))
        if (machine.due()) return machine.pause().then(async () => later('test', null))
      }
    }
  }

  #forIn(tree: Statement & { kind: 'for-in' }): Run {
    const { compile, machine, scope } = this.#compiler
    const array = scope.array(tree.array, compile)
    const cell = scope.cell(tree.name)
    const body = this.compile(tree.body)
    const compiler = this.#compiler
    return async () => {
      const keys = await orderedKeys(await array.run(), compiler)
      for (const key of keys) {
        cell().value = key
        const signal = await body()
        if (signal === 'break') return undefined
        if (signal !== undefined && signal !== 'continue') return signal
        if (machine.due()) await machine.pause()
      }
      return undefined
    }
  }

  #switch(tree: Statement & { kind: 'switch' }): Run {
    const { compile, machine } = this.#compiler
    const of = compile(tree.of)
    const bodies = tree.cases.map(({ body }) => this.compile(body))
    const matches = tree.cases.map(({ value }) => {
      if (!value) return () => false
      if (value.kind === 'regex')
        return (given: Value) => machine.regex(value.source).test(machine.text(given))
      const wanted = value.kind === 'number' || value.kind === 'string' ? value.value : ''
      return (given: Value) =>
        !(given instanceof TypedRegex) &&
        (typeof wanted === 'number') === isNumeric(given) &&
        compareValues(given, wanted, machine) === 0
    })
    const fallback = tree.cases.findIndex(({ value }) => !value)
    return async () => {
      const value = await of.run()
      const found = matches.findIndex((match) => match(value))
      const from = found === -1 ? fallback : found
      if (from === -1) return undefined
      for (const body of bodies.slice(from)) {
        const signal = await body()
        if (signal === 'break') return undefined
        if (signal !== undefined) return signal
      }
      return undefined
    }
  }
}

/** Whether a `case` with a number compares this value as a number: a number, or input that looks like one. */
function isNumeric(value: Value): boolean {
  return (
    typeof value === 'number' || (typeof value === 'object' && 'number' in value && value.number !== null)
  )
}

function ended(act: () => unknown): undefined {
  act()
  return undefined
}

function block(runs: readonly Run[]): Run {
  const [only] = runs
  if (runs.length === 1 && only) return only
  const from = async (index: number, pending: Promise<Signal>): Promise<Signal> => {
    let signal = await pending
    for (let at = index; at < runs.length && signal === undefined; at++) signal = await runs[at]?.()
    return signal
  }
  return () => {
    for (let index = 0; index < runs.length; index++) {
      const signal = runs[index]?.()
      if (signal instanceof Promise) return from(index + 1, signal)
      if (signal !== undefined) return signal
    }
    return undefined
  }
}
