// A parse tree in flat arrays. Nodes are numbered in text order. Works with any grammar.

import type { NodeSet, Tree } from '@lezer/common'

import type { Steps } from '../../../../lib/steps.ts'
import { SCAN_CHECK_WORK_MAX } from './limits.ts'

/** The number of a node; -1 for no node. */
export type SyntaxNode = number

export interface Syntax {
  readonly text: string
  readonly size: number
  name(node: SyntaxNode): string
  from(node: SyntaxNode): number
  to(node: SyntaxNode): number
  parent(node: SyntaxNode): SyntaxNode
  /** Direct children in order. Listing them counts as work. */
  children(node: SyntaxNode): readonly SyntaxNode[]
  /** Adds work; the unit is listing one child. Throws a RangeError beyond SCAN_CHECK_WORK_MAX. */
  spend(work: number): void
  /** The work so far, in the unit of `spend`. */
  spent(): number
  /** True when `inner` is `outer` or a descendant of it. */
  isInside(inner: SyntaxNode, outer: SyntaxNode): boolean
  textOf(node: SyntaxNode): string
  /** Nodes at which the parser had to guess. */
  readonly errors: readonly SyntaxNode[]
}

const NODES_PER_YIELD = 4_096
/** Cost of a node, in microseconds. */
const NODE_US = 0.2

/** Converts a tree. `set` has the node types of the parser that built it. */
export function* flatten(tree: Tree, set: NodeSet, text: string): Steps<Syntax> {
  const types: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  const parents: number[] = []
  const lastDescendants: number[] = []
  const errors: SyntaxNode[] = []
  const cursor = tree.cursor()
  const ancestors: SyntaxNode[] = []
  for (let walking = true; walking;) {
    const node = types.length
    if (node % NODES_PER_YIELD === NODES_PER_YIELD - 1) yield NODES_PER_YIELD * NODE_US
    types.push(cursor.type.id)
    starts.push(cursor.from)
    ends.push(cursor.to)
    parents.push(ancestors.at(-1) ?? -1)
    lastDescendants.push(node)
    if (cursor.type.isError) errors.push(node)
    if (cursor.firstChild()) {
      ancestors.push(node)
      continue
    }
    while (!cursor.nextSibling()) {
      const finished = ancestors.pop()
      if (finished === undefined || !cursor.parent()) {
        walking = false
        break
      }
      lastDescendants[finished] = types.length - 1
    }
  }
  for (const node of ancestors) lastDescendants[node] = types.length - 1

  let spent = 0
  const spend = (work: number): void => {
    spent += work
    if (spent > SCAN_CHECK_WORK_MAX) throw new RangeError('too much work')
  }
  const name = (node: SyntaxNode): string => set.types[types[node] ?? -1]?.name ?? ''
  const parent = (node: SyntaxNode): SyntaxNode => parents[node] ?? -1
  return {
    text,
    size: types.length,
    errors,
    name,
    from: (node) => starts[node] ?? 0,
    to: (node) => ends[node] ?? 0,
    parent,
    children(node) {
      const children: SyntaxNode[] = []
      const end = lastDescendants[node] ?? -1
      for (let child = node + 1; child <= end; child = (lastDescendants[child] ?? child) + 1) {
        spend(1)
        children.push(child)
      }
      return children
    },
    spend,
    spent: () => spent,
    isInside: (inner, outer) => outer <= inner && inner <= (lastDescendants[outer] ?? -1),
    textOf: (node) => text.slice(starts[node] ?? 0, ends[node] ?? 0),
  }
}
