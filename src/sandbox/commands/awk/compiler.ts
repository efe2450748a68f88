// Types and helpers that the compilers of expressions, built-in functions and statements share.

import { Failed } from '../command.ts'
import { constant, map1, type Code } from './code.ts'
import type { Machine } from './machine.ts'
import type { Argument, Scope } from './scope.ts'
import type { ArrayTree, FunctionTree, Tree } from './tree.ts'
import { TypedRegex, type Value } from './values.ts'

export interface Compiler {
  readonly machine: Machine
  readonly scope: Scope
  readonly functions: ReadonlyMap<string, Compiled>
  /** The value of the last `return` statement. */
  readonly returned: { value: Value }
  readonly compile: (tree: Tree) => Code<Value>
  /** Calls a function of the program. */
  readonly invoke: (made: Compiled, args: readonly Argument[]) => Value | Promise<Value>
}

/** A call of a built-in function. */
export type Call = Tree & { readonly kind: 'builtin' }

/** A function of the program. Its body is compiled once the whole program is known. */
export interface Compiled {
  readonly tree: FunctionTree
  body: () => Signal | Promise<Signal>
}

/** How a statement ended. */
export type Signal = 'break' | 'continue' | 'next' | 'nextfile' | 'exit' | 'return' | undefined

/** Thrown to carry `next` and `exit` out of a function. */
export class Left extends Error {
  readonly signal: Signal
  constructor(signal: Signal) {
    super('the function was left')
    this.signal = signal
  }
}

export function unwrapped(tree: Tree): Tree {
  const [only] = tree.kind === 'group' ? tree.list : []
  return tree.kind === 'group' && tree.list.length === 1 && only ? unwrapped(only) : tree
}

/** The source of a regular expression argument: a literal, or the value of an expression. */
export function regexSource(
  tree: Tree,
  compile: (tree: Tree) => Code<Value>,
  machine: Machine,
): Code<string> {
  const plain = unwrapped(tree)
  if (plain.kind === 'regex' || plain.kind === 'typed-regex') return constant(plain.source)
  return map1(compile(plain), (value) => (value instanceof TypedRegex ? value.source : machine.text(value)))
}

export function wrong(tree: Call): never {
  throw new Failed(
    `line ${tree.line}: ${tree.args.length} is invalid as number of arguments for ${tree.name}`,
    1,
  )
}

/** Compiles an argument that must be an array. */
export function arrayArgument(tree: Tree | undefined, call: Call): ArrayTree {
  if (tree?.kind === 'name' || tree?.kind === 'element') return tree
  if (tree?.kind === 'group' && tree.list.length === 1) return arrayArgument(tree.list[0], call)
  return wrong(call)
}
