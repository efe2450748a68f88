// The values that a file assigns to each name, by scope: imports, definitions and expressions. Resolves
// nothing.

import type { SyntaxNode, Syntax } from './syntax.ts'

/** A value of a name: a path (`os.system`), a node, or neither if the value is not analyzed. */
export interface NameValue {
  readonly path?: string
  readonly value?: SyntaxNode
  /** The definition of a function or class in the file. */
  readonly body?: SyntaxNode
  /** The property of the value that is assigned by destructuring. */
  readonly member?: string
}

/** Records a value of a name. `scopeNode` is a node in the scope of the name. */
export type Bind = (name: string, scopeNode: SyntaxNode, nameValue: NameValue) => void

export interface Names {
  readonly bind: Bind
  /** Determines the scope of a node. Must be called for each node in text order, before `bind`. */
  enter(node: SyntaxNode): void
  /**
   * The values of a name in the nearest scope around `use` that has the name; null if there is no such scope.
   */
  valuesOfName(name: string, use: SyntaxNode): readonly NameValue[] | null
  /** The scope to which the name at `use` belongs: a function, or 0 for the file. */
  definingScope(name: string, use: SyntaxNode): SyntaxNode
  /** Modules from which everything was imported (`import *`). */
  readonly starImports: ReadonlySet<string>
}

const NAME_VALUES_MAX = 8
const STAR_IMPORTS_MAX = 8

export function createNames(syntax: Syntax, scopes: ReadonlySet<string>): Names {
  const scopeOf = new Int32Array(syntax.size)
  const table = new Map<string, NameValue[]>()
  const starImports = new Set<string>()
  return {
    starImports,
    enter(node) {
      scopeOf[node] = scopes.has(syntax.name(node)) ? node : (scopeOf[syntax.parent(node)] ?? 0)
    },
    bind(name, scopeNode, nameValue) {
      if (name === '*') {
        if (starImports.size < STAR_IMPORTS_MAX && nameValue.path !== undefined)
          starImports.add(nameValue.path)
        return
      }
      const key = `${scopeOf[scopeNode]} ${name}`
      const list = table.get(key)
      if (!list) table.set(key, [nameValue])
      else if (list.length < NAME_VALUES_MAX) list.push(nameValue)
    },
    definingScope(name, use) {
      for (let scope = scopeOf[use] ?? 0; scope !== 0; scope = scopeOf[syntax.parent(scope)] ?? 0)
        if (table.has(`${scope} ${name}`)) return scope
      return 0
    },
    valuesOfName(name, use) {
      for (let scope = scopeOf[use] ?? 0; ; scope = scopeOf[syntax.parent(scope)] ?? 0) {
        const nameValue = table.get(`${scope} ${name}`)
        if (nameValue || scope === 0) return nameValue ?? null
      }
    },
  }
}
