// A parse tree as flat arrays, for both languages: nodes are numbers in the order of the text. Knows no grammar.

import type { NodeSet, Tree } from '@lezer/common'

import type { Steps } from '../../lib/steps.ts'
import { SCAN_KIDS_MAX } from '../../limits.ts'

/** -1: there is none. */
export type Node = number

export interface Syntax {
  readonly text: string
  readonly size: number
  name(node: Node): string
  from(node: Node): number
  to(node: Node): number
  parent(node: Node): Node
  /** Direct children, in order. Throws a RangeError when SCAN_KIDS_MAX were listed in all. */
  kids(node: Node): readonly Node[]
  /** How many were. */
  listed(): number
  /** The node at or above `node` that has one of these names, or -1. */
  above(node: Node, names: ReadonlySet<string>): Node
  /** True when `inner` is `outer` or lies below it. */
  within(inner: Node, outer: Node): boolean
  textOf(node: Node): string
  /** Where the parser had to guess. */
  readonly errors: readonly Node[]
}

/** A list of whole numbers that grows: a tree of half a million nodes is a few megabytes of these. */
class Numbers {
  #kept = new Int32Array(1_024)
  #size = 0

  get size(): number {
    return this.#size
  }

  add(value: number): void {
    if (this.#size === this.#kept.length) {
      const larger = new Int32Array(2 * this.#size)
      larger.set(this.#kept)
      this.#kept = larger
    }
    this.#kept[this.#size++] = value
  }

  set(at: number, value: number): void {
    this.#kept[at] = value
  }

  /** Undefined past the end, as of any list. */
  at(index: number): number | undefined {
    return index < this.#size ? this.#kept[index] : undefined
  }
}

const NODES_AT_ONCE = 4_096
// Microseconds that a node takes.
const NODE = 0.2

/** `set`: the types of the parser that made the tree. */
export function* flatten(tree: Tree, set: NodeSet, text: string): Steps<Syntax> {
  const types = new Numbers()
  const froms = new Numbers()
  const tos = new Numbers()
  const parents = new Numbers()
  const last = new Numbers()
  const errors: Node[] = []
  const cursor = tree.cursor()
  const open: Node[] = []
  for (let walking = true; walking;) {
    const node = types.size
    if (node % NODES_AT_ONCE === NODES_AT_ONCE - 1) yield NODES_AT_ONCE * NODE
    types.add(cursor.type.id)
    froms.add(cursor.from)
    tos.add(cursor.to)
    parents.add(open.at(-1) ?? -1)
    last.add(node)
    if (cursor.type.isError) errors.push(node)
    if (cursor.firstChild()) {
      open.push(node)
      continue
    }
    while (!cursor.nextSibling()) {
      const done = open.pop()
      if (done === undefined || !cursor.parent()) {
        walking = false
        break
      }
      last.set(done, types.size - 1)
    }
  }
  for (const node of open) last.set(node, types.size - 1)

  let listed = 0
  const name = (node: Node): string => set.types[types.at(node) ?? -1]?.name ?? ''
  const parent = (node: Node): Node => parents.at(node) ?? -1
  return {
    text,
    size: types.size,
    errors,
    name,
    from: (node) => froms.at(node) ?? 0,
    to: (node) => tos.at(node) ?? 0,
    parent,
    kids(node) {
      const kids: Node[] = []
      const end = last.at(node) ?? -1
      for (let kid = node + 1; kid <= end; kid = (last.at(kid) ?? kid) + 1) {
        if (++listed > SCAN_KIDS_MAX) throw new RangeError('too many children')
        kids.push(kid)
      }
      return kids
    },
    listed: () => listed,
    above(node, wanted) {
      let at = node
      while (at >= 0 && !wanted.has(name(at))) at = parent(at)
      return at
    },
    within: (inner, outer) => outer <= inner && inner <= (last.at(outer) ?? -1),
    textOf: (node) => text.slice(froms.at(node) ?? 0, tos.at(node) ?? 0),
  }
}
