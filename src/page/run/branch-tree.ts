// The branches of a thread as a tree, and the places where the shown thread could continue differently. Pure.

import type { ThreadInfo } from '../../thread/api.ts'

export interface BranchNode {
  readonly id: string
  /** The thread that it was forked from; null for the root. */
  readonly parentId: string | null
  /** Number of messages copied from there. */
  readonly copied: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** A place in the shown thread with several versions of a question. */
export interface BranchPoint {
  /** For each version, the thread that it was written in: the oldest first. */
  readonly versions: readonly string[]
  /** The version that the shown thread contains. */
  readonly index: number
}

export type BranchTree = ReadonlyMap<string, BranchNode>

export function nodeOf({ id, root, forked_from: from, created_at, updated_at }: ThreadInfo): BranchNode {
  // The source of a root belongs to another owner, so it is not in the tree.
  const source = id === root ? null : from
  return {
    id,
    parentId: source?.thread_id ?? null,
    copied: source?.messages ?? 0,
    createdAt: created_at,
    updatedAt: updated_at,
  }
}

/**
 * The thread in which the question that a fork replaces was written: the thread that was forked, or, if that thread only
 * copied the question, one of its ancestors. It may have been deleted.
 */
function parentOf(tree: BranchTree, node: BranchNode): string | null {
  let { parentId } = node
  for (let parent = tree.get(parentId ?? ''); parent; parent = tree.get(parentId ?? '')) {
    if (parent.parentId === null || node.copied > parent.copied) break
    parentId = parent.parentId
  }
  return parentId
}

function childrenOf(tree: BranchTree, id: string): readonly BranchNode[] {
  return [...tree.values()]
    .filter((node) => parentOf(tree, node) === id)
    .toSorted((a, b) =>
      a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id < b.id ? -1 : 1,
    )
}

/** The places of the thread `shownId`, by the number of messages before the question. */
export function branchPoints(tree: BranchTree, shownId: string): ReadonlyMap<number, BranchPoint> {
  const points = new Map<number, BranchPoint>()
  /** The child through which the shown thread leaves `id`. */
  let leaving: BranchNode | null = null
  for (let id: string | null = shownId; id !== null;) {
    const node = tree.get(id)
    const children = childrenOf(tree, id)
    for (const { copied } of children) {
      if (leaving && copied > leaving.copied) continue
      const siblings = children.filter((child) => child.copied === copied).map((child) => child.id)
      const versions = node ? [id, ...siblings] : siblings
      const shown: string = leaving?.copied === copied ? leaving.id : id
      if (versions.length > 1) points.set(copied, { versions, index: versions.indexOf(shown) })
    }
    leaving = node ?? null
    id = node ? parentOf(tree, node) : null
  }
  return points
}

/** The threads that contain a version of the question at `copied`: the one that it was written in, and its later branches. */
export function threadsWith(tree: BranchTree, version: string, copied: number): readonly string[] {
  const later = childrenOf(tree, version).filter((child) => child.copied > copied)
  return [version, ...later.flatMap((child) => threadsWith(tree, child.id, copied))]
}
