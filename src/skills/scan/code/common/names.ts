// The values that a file assigns to each name, by scope: imports, definitions and expressions. Resolves
// nothing.

import type { SyntaxNode, Syntax } from './syntax.ts'

/** A value of a name: a path (`os.system`), a node, or neither if the value is not analysed. */
export interface Given {
  readonly path?: string
  readonly value?: SyntaxNode
  /** The definition of a function or class in the file. */
  readonly body?: SyntaxNode
  /** The property of the value that is assigned by destructuring. */
  readonly member?: string
}

/** Records a value of a name. `at` is a node in the scope of the name. */
export type Bind = (name: string, at: SyntaxNode, given: Given) => void

export interface Names {
  readonly bind: Bind
  /** Determines the scope of a node. Must be called for each node in text order, before `bind`. */
  enter(node: SyntaxNode): void
  /**
   * The values of a name in the nearest scope around `use` that has the name; null if there is no such scope.
   */
  givenTo(name: string, use: SyntaxNode): readonly Given[] | null
  /** The scope to which the name at `use` belongs: a function, or 0 for the file. */
  homeOf(name: string, use: SyntaxNode): SyntaxNode
  /** Modules from which everything was imported (`import *`). */
  readonly stars: ReadonlySet<string>
}

const GIVEN_MAX = 8
const STARS_MAX = 8

export function createNames(syntax: Syntax, scopes: ReadonlySet<string>): Names {
  const scopeOf = new Int32Array(syntax.size)
  const table = new Map<string, Given[]>()
  const stars = new Set<string>()
  return {
    stars,
    enter(node) {
      scopeOf[node] = scopes.has(syntax.name(node)) ? node : (scopeOf[syntax.parent(node)] ?? 0)
    },
    bind(name, at, given) {
      if (name === '*') {
        if (stars.size < STARS_MAX && given.path !== undefined) stars.add(given.path)
        return
      }
      const key = `${scopeOf[at]} ${name}`
      const list = table.get(key)
      if (!list) table.set(key, [given])
      else if (list.length < GIVEN_MAX) list.push(given)
    },
    homeOf(name, use) {
      for (let scope = scopeOf[use] ?? 0; scope !== 0; scope = scopeOf[syntax.parent(scope)] ?? 0)
        if (table.has(`${scope} ${name}`)) return scope
      return 0
    },
    givenTo(name, use) {
      for (let scope = scopeOf[use] ?? 0; ; scope = scopeOf[syntax.parent(scope)] ?? 0) {
        const given = table.get(`${scope} ${name}`)
        if (given || scope === 0) return given ?? null
      }
    },
  }
}
