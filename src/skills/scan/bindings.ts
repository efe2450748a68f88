// Which value a name may have where it is used: bindings by scope, the nearest ones first. For both languages.

import type { Node, Syntax } from './syntax.ts'

/** One place that gives a name a value. */
interface Binding {
  readonly name: string
  /** The function or file the name belongs to. */
  readonly scope: Node
  /** The block it stands in: a binding inside a branch may not have happened. */
  readonly block: Node
  readonly at: Node
  /** A module path (`os.system`), or the node of the value, or neither: something that is not followed. */
  readonly path?: string
  readonly value?: Node
  /** Properties taken from the value, as destructuring does. */
  readonly member?: string
}

export interface Bindings {
  add(binding: Binding): void
  /**
   * Every binding that can be in force for `name` at `use`; `open` says that none may be, so that the name can be
   * the language's own. `stars`: modules whose star import may have set the name since.
   */
  reaching(name: string, use: Node): Reached
  /** True for a name that anything known was given to: others need no following. */
  follows(name: string): boolean
  hasStars(): boolean
  /** `from path import *` at the node `at`: a language allows it in the scope of the file only. */
  addStar(path: string, at: Node): void
}

interface Reached {
  readonly bindings: readonly Binding[]
  readonly open: boolean
  readonly stars: readonly string[]
}

/** `spend` is called for each binding looked at: hostile files bind one name thousands of times. */
export function createBindings(
  syntax: Syntax,
  scopes: ReadonlySet<string>,
  loops: ReadonlySet<string>,
  spend: () => void,
): Bindings {
  const byPlace = new Map<string, Binding[]>()
  const names = new Set<string>()
  const followed = new Set<string>()
  const distinct = new Map<string, readonly Binding[]>()
  const stars = new Map<string, { readonly first: Node; readonly last: Node }>()
  const scopeOf = (node: Node): Node => Math.max(0, syntax.above(node, scopes))
  return {
    hasStars: () => stars.size > 0,
    follows: (name) => followed.has(name),
    addStar: (path, at) => void stars.set(path, { first: stars.get(path)?.first ?? at, last: at }),
    add(binding) {
      const place = `${binding.scope} ${binding.name}`
      const list = byPlace.get(place)
      names.add(binding.name)
      if (binding.path !== undefined || binding.value !== undefined) followed.add(binding.name)
      if (list) list.push(binding)
      else byPlace.set(place, [binding])
    },
    reaching(name, use) {
      if (!names.has(name)) return { bindings: [], open: true, stars: starsSince(-1, use) }
      let scope = scopeOf(use)
      for (let own = true; ; own = false) {
        spend()
        const place = `${scope} ${name}`
        const here = byPlace.get(place)
        if (here) {
          const reached = own ? inForce(here, use) : anyOf(place, here)
          const sure = scope !== 0 || reached.some((one) => (spend(), syntax.within(use, one.block)))
          const open = !sure || reached.length === 0
          // What surely happened after a star import hides it, at the top; a function may run after either.
          const hidden = own && !open ? (reached.at(-1)?.at ?? -1) : -1
          return { bindings: reached, open, stars: scope === 0 ? starsSince(hidden, use) : [] }
        }
        if (scope === 0) return { bindings: [], open: true, stars: starsSince(-1, use) }
        scope = scopeOf(syntax.parent(scope))
      }
    },
  }

  function starsSince(after: Node, use: Node): readonly string[] {
    const loop = syntax.above(use, loops)
    const late = scopeOf(use) !== 0
    return Array.from(stars)
      .filter(([, { first, last }]) => {
        spend()
        const came = late || first < use || (loop >= 0 && syntax.within(first, loop))
        return came && last > after
      })
      .map(([path]) => path)
  }

  // Seen from a function, all that the outer scope ever gives the name; the same thing once.
  function anyOf(place: string, here: readonly Binding[]): readonly Binding[] {
    const known = distinct.get(place)
    if (known) return known
    const what = (one: Binding): string => one.path ?? (one.value === undefined ? '?' : String(one.at))
    const byPath = new Map(here.map((one) => [`${what(one)} ${one.block === 0}`, one]))
    const list = Array.from(byPath.values())
    distinct.set(place, list)
    return list
  }

  // Backwards from the use: a binding that surely happened hides the earlier ones; in a loop, later ones come round.
  function inForce(here: readonly Binding[], use: Node): readonly Binding[] {
    const loop = syntax.above(use, loops)
    const reached: Binding[] = []
    const later = firstAfter(here, use)
    if (loop >= 0)
      for (let index = later; index < here.length; index++) {
        spend()
        const one = here[index]
        if (!one || !syntax.within(one.at, loop)) break
        reached.push(one)
      }
    for (let index = later - 1; index >= 0; index--) {
      spend()
      const binding = here[index]
      if (!binding || syntax.within(use, binding.at)) continue
      reached.push(binding)
      if (syntax.within(use, binding.block)) break
    }
    return reached
  }
}

/** Bindings come in the order of the text. */
function firstAfter(here: readonly Binding[], use: Node): number {
  let low = 0
  let high = here.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((here[middle]?.at ?? 0) > use) high = middle
    else low = middle + 1
  }
  return low
}
