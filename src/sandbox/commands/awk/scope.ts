// Resolves the names in an expression: variables, arrays, and parameters of the enclosing function.

import { Failed, Unsupported } from '../command.ts'
import { all, direct, map1, map2, type Code } from './code.ts'
import { arrayIn, type Machine } from './machine.ts'
import { AwkArray, numberOf, scalar, type Cell, type Value } from './values.ts'
import type { ArrayTree, Target, Tree } from './tree.ts'

export type Compile = (tree: Tree) => Code<Value>

export class Scope {
  readonly machine: Machine
  /** The parameter names of the function. */
  readonly #parameters: readonly string[]

  constructor(machine: Machine, parameters: readonly string[]) {
    this.machine = machine
    this.#parameters = parameters
  }

  /** Returns a function that finds the variable with this name. */
  cell(name: string): () => Cell {
    if (name === 'SYMTAB' || name === 'FUNCTAB')
      throw new Unsupported(`awk ${name}`, 'an array of the program, with the names as subscripts')
    const index = this.#parameters.indexOf(name)
    if (index === -1) {
      const cell = this.machine.cell(name)
      return () => cell
    }
    const { machine } = this
    return () => {
      const local = machine.frame[index]
      if (!local) throw new Failed(`fatal: no parameter \`${name}'`, 2)
      return local
    }
  }

  /** The array that a name or an element refers to. */
  array(tree: ArrayTree, compile: Compile): Code<AwkArray> {
    if (tree.kind === 'name') {
      const cell = this.cell(tree.name)
      return direct(() => arrayIn(cell(), tree.name))
    }
    return map2(this.array(tree.array, compile), this.key(tree.subscripts, compile), (array, key) => {
      const value = array.map.get(key)
      if (value instanceof AwkArray) return value
      if (value !== undefined)
        throw new Failed(`fatal: attempt to use scalar \`${nameOf(tree)}' as an array`, 2)
      const made = new AwkArray()
      array.map.set(key, made)
      return made
    })
  }

  key(subscripts: readonly Tree[], compile: Compile): Code<string> {
    const { machine } = this
    const [first] = subscripts
    if (subscripts.length === 1 && first) return map1(compile(first), (value) => machine.key(value))
    return map1(all(subscripts.map(compile)), (values) =>
      values.map((value) => machine.key(value)).join(machine.subscriptSeparator),
    )
  }

  /** The variable, field or element that an assignment changes. */
  location(tree: Target, compile: Compile): Code<Cell> {
    const { machine } = this
    if (tree.kind === 'name') {
      const cell = this.cell(tree.name)
      return direct(cell)
    }
    if (tree.kind === 'field')
      return map1(compile(tree.index), (index) => new FieldLocation(machine, Math.trunc(numberOf(index))))
    return map2(
      this.array(tree.array, compile),
      this.key(tree.subscripts, compile),
      (array, key) => new ElementLocation(array, key),
    )
  }

  /** Reads the value of a target. */
  read(tree: Target, compile: Compile): Code<Value> {
    const { machine } = this
    const { record } = machine
    if (tree.kind === 'name') {
      const cell = this.cell(tree.name)
      return direct(() => {
        const { value } = cell()
        return value instanceof AwkArray ? scalar(value, tree.name) : value
      })
    }
    if (tree.kind === 'field') {
      if (tree.index.kind === 'number' && tree.index.value >= 0) {
        const index = Math.trunc(tree.index.value)
        return direct(() => record.get(index))
      }
      return map1(compile(tree.index), (index) => record.get(Math.trunc(numberOf(index))))
    }
    return map2(this.array(tree.array, compile), this.key(tree.subscripts, compile), (array, key) => {
      const value = array.map.get(key)
      if (value === undefined && !array.map.has(key)) array.map.set(key, undefined)
      return value instanceof AwkArray ? scalar(value, nameOf(tree)) : value
    })
  }

  /** Compiles an argument, which may be a value or an array. */
  argument(tree: Tree, compile: Compile): Code<Argument> {
    if (tree.kind === 'name') {
      const cell = this.cell(tree.name)
      return direct(() => {
        const from = cell()
        return from.value === undefined ? { value: undefined, from } : { value: from.value, from: null }
      })
    }
    if (tree.kind === 'element')
      return map2(this.array(tree.array, compile), this.key(tree.subscripts, compile), (array, key) => {
        const value = array.map.get(key)
        if (value === undefined) array.map.set(key, undefined)
        return { value, from: value === undefined ? new ElementLocation(array, key) : null }
      })
    return map1(compile(tree), (value) => ({ value, from: null }))
  }
}

export interface Argument {
  readonly value: Value | AwkArray
  readonly from: Cell | null
}

function nameOf(tree: ArrayTree): string {
  return tree.kind === 'name' ? tree.name : nameOf(tree.array)
}

class ElementLocation implements Cell {
  readonly #array: AwkArray
  readonly #key: string
  constructor(array: AwkArray, key: string) {
    this.#array = array
    this.#key = key
  }
  get value(): Value | AwkArray {
    return this.#array.map.get(this.#key)
  }
  set value(value: Value | AwkArray) {
    this.#array.map.set(this.#key, value)
  }
}

class FieldLocation implements Cell {
  readonly #machine: Machine
  readonly #index: number
  constructor(machine: Machine, index: number) {
    this.#machine = machine
    this.#index = index
  }
  get value(): Value {
    return this.#machine.record.get(this.#index)
  }
  set value(value: Value | AwkArray) {
    this.#machine.record.set(this.#index, scalar(value, '$'))
  }
}
