// The variables of a shell: values, lists, attributes, and the scopes of functions.

import type { AssociativeArray } from './associative-array.ts'
import type { IndexedList } from './indexed-list.ts'

export type Value = string | IndexedList | AssociativeArray

export interface Variable {
  /** Null if the variable is declared but not set. */
  value: Value | null
  exported: boolean
  readonly: boolean
  integer: boolean
  /** The case that `declare -l`, `declare -u` or `declare -c` enforces. */
  letters: 'lower' | 'upper' | 'capital' | null
  /** Whether `value` is the name of another variable (`declare -n`). */
  reference: boolean
}

export function newVariable(value: Value | null = null): Variable {
  return { value, exported: false, readonly: false, integer: false, letters: null, reference: false }
}

export class Variables {
  /** The scopes; the first is global, the last is innermost. */
  readonly #scopes: Map<string, Variable>[]

  constructor(scopes: Map<string, Variable>[] = [new Map()]) {
    this.#scopes = scopes
  }

  /** The variable with this name in the innermost scope that has one. Does not follow references. */
  find(name: string): Variable | undefined {
    for (let index = this.#scopes.length - 1; index >= 0; index--) {
      const variable = this.#scopes[index]?.get(name)
      if (variable) return variable
    }
    return undefined
  }

  /** The variable with this name. Creates it in the global scope if there is none. */
  obtain(name: string): Variable {
    const known = this.find(name)
    if (known) return known
    const variable = newVariable()
    this.#scopes[0]?.set(name, variable)
    return variable
  }

  /** Creates a variable in the innermost scope. With `inherit`, it starts with the value of the outer variable. */
  declareLocal(name: string): Variable {
    const scope = this.#scopes.at(-1) ?? new Map<string, Variable>()
    const known = scope.get(name)
    if (known) return known
    const variable = newVariable()
    scope.set(name, variable)
    return variable
  }

  declareGlobal(name: string): Variable {
    const known = this.#scopes[0]?.get(name)
    if (known) return known
    const variable = newVariable()
    this.#scopes[0]?.set(name, variable)
    return variable
  }

  /** Adds a variable to the innermost scope, as the environment of one command. */
  put(name: string, variable: Variable): void {
    this.#scopes.at(-1)?.set(name, variable)
  }

  /** Adds a variable to the innermost scope until the returned function is called. */
  replace(name: string, variable: Variable): () => void {
    const scope = this.#scopes.at(-1)
    const before = scope?.get(name)
    scope?.set(name, variable)
    return () => {
      if (before) scope?.set(name, before)
      else scope?.delete(name)
    }
  }

  isLocal(name: string): boolean {
    return this.#scopes.length > 1 && (this.#scopes.at(-1)?.has(name) ?? false)
  }

  unset(name: string): void {
    for (let index = this.#scopes.length - 1; index >= 0; index--) {
      const scope = this.#scopes[index]
      if (!scope?.has(name)) continue
      // An unset local variable still hides the outer variable until its function returns.
      if (index === this.#scopes.length - 1 && index > 0) scope.set(name, newVariable())
      else scope.delete(name)
      return
    }
  }

  pushScope(): void {
    this.#scopes.push(new Map())
  }

  popScope(): void {
    if (this.#scopes.length > 1) this.#scopes.pop()
  }

  get depth(): number {
    return this.#scopes.length
  }

  /** The names of all visible variables, in ascending order. */
  names(): string[] {
    const names = new Set(this.#scopes.flatMap((scope) => [...scope.keys()]))
    return [...names].filter((name) => this.find(name)?.value !== null).sort(byCodePoints)
  }

  /** Returns an independent copy. */
  copy(): Variables {
    return new Variables(
      this.#scopes.map(
        (scope) =>
          new Map(
            [...scope].map(([name, variable]) => [name, { ...variable, value: copyOf(variable.value) }]),
          ),
      ),
    )
  }

  /** The environment of a started program. */
  exported(): Record<string, string> {
    const env: Record<string, string> = {}
    for (const scope of this.#scopes)
      for (const [name, variable] of scope) {
        if (variable.exported && typeof variable.value === 'string') env[name] = variable.value
        else delete env[name]
      }
    return env
  }
}

function copyOf(value: Value | null): Value | null {
  if (value === null || typeof value === 'string') return value
  return value.copy()
}

/** Compares by code points, the order of C.UTF-8. */
export function byCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) {
    const [a, b] = [one.charCodeAt(index), other.charCodeAt(index)]
    if (a === b) continue
    const surrogates = [a, b].map((unit) => unit >= 0xd800 && unit <= 0xdfff)
    if (surrogates[0] !== surrogates[1]) return surrogates[0] ? 1 : -1
    return a - b
  }
  return one.length - other.length
}
