// The import table of one file and its one-step aliases: what each name was given, by function. Follows nothing.

import type { SyntaxNode, Syntax } from './syntax.ts'

/** A path of a module (`os.system`), or the node of a value, or neither: something that is not followed. */
export interface Given {
  readonly path?: string
  readonly value?: SyntaxNode
  /** A function of the file, whose calls give what it gives. */
  readonly body?: SyntaxNode
  /** A property that is taken from the value, as destructuring does. */
  readonly member?: string
}

/** `at`: a node of the function, or the file, that the name belongs to. */
export type Bind = (name: string, at: SyntaxNode, given: Given) => void

export interface Names {
  readonly bind: Bind
  /** To be called for each node in the order of the text, before `bind`. */
  enter(node: SyntaxNode): void
  /** What the nearest function around `use` that knows the name gives it; null when none does. */
  givenTo(name: string, use: SyntaxNode): readonly Given[] | null
  /** The function, or the file, that the name belongs to where it is used. */
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
      const place = `${scopeOf[at]} ${name}`
      const list = table.get(place)
      if (!list) table.set(place, [given])
      // What is known counts: a name that is given a hundred other things keeps the first of each kind.
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
