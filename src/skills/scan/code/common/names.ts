// The imports of one file and its one-step aliases: the values of each name, by function. Resolves nothing.

import type { SyntaxNode, Syntax } from './syntax.ts'

/** A module path (`os.system`), the node of a value, or neither: a value that is not analysed. */
export interface Given {
  readonly path?: string
  readonly value?: SyntaxNode
  /** A function of the file. Calls of it return what it returns. */
  readonly body?: SyntaxNode
  /** A property taken from the value, as in destructuring. */
  readonly member?: string
}

/** `at`: a node of the function, or the file, that owns the name. */
export type Bind = (name: string, at: SyntaxNode, given: Given) => void

export interface Names {
  readonly bind: Bind
  /** Call it for each node in text order, before `bind`. */
  enter(node: SyntaxNode): void
  /** The values of a name in the nearest function around `use` that has it; null if none has. */
  givenTo(name: string, use: SyntaxNode): readonly Given[] | null
  /** The function, or the file, that owns the name at `use`. */
  homeOf(name: string, use: SyntaxNode): SyntaxNode
  /** Modules whose names were imported with a star. */
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
      // Known values count: a name with a hundred other values keeps the first of each kind.
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
