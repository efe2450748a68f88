// Guards the versions of a question: which threads hold one, in which order, and which one a thread shows.

import { describe, expect, it } from 'vitest'

import { branchPoints, nodeOf, threadsWith, type BranchTree } from '../../../src/page/run/branch-tree.ts'
import { threadInfo } from './ports.ts'

/** Threads by ID, each with its source and the number of messages that were copied. */
function treeOf(
  ...threads: readonly (readonly [id: string, source?: string, copied?: number])[]
): BranchTree {
  return new Map(
    threads.map(([id, source, messages = 0], at) => {
      const forked_from = source === undefined ? null : { thread_id: source, message_id: 'm', messages }
      const created_at = `2026-03-04T0${at}:00:00.000Z`
      return [id, nodeOf(threadInfo(id, { root: 'root', forked_from, created_at }))]
    }),
  )
}
const pointsOf = (tree: BranchTree, id: string) =>
  Object.fromEntries(
    [...branchPoints(tree, id)].map(([at, { versions, index }]) => [at, [...versions, index]]),
  )

describe('the versions of a question', () => {
  it('are the replaced question and its replacements, in the same order in every thread', () => {
    const tree = treeOf(['root'], ['a', 'root', 2], ['b', 'root', 2])
    expect(pointsOf(tree, 'root')).toEqual({ 2: ['root', 'a', 'b', 0] })
    expect(pointsOf(tree, 'a')).toEqual({ 2: ['root', 'a', 'b', 1] })
    expect(pointsOf(tree, 'b')).toEqual({ 2: ['root', 'a', 'b', 2] })
  })

  it('include those of a fork whose own first question was replaced, or one that it only copied', () => {
    const tree = treeOf(['root'], ['a', 'root', 2], ['again', 'a', 2], ['earlier', 'again', 0])
    expect(pointsOf(tree, 'again')).toEqual({ 0: ['root', 'earlier', 0], 2: ['root', 'a', 'again', 2] })
    expect(pointsOf(tree, 'earlier')).toEqual({ 0: ['root', 'earlier', 1] })
  })

  it('are those of every question that the thread shows, and no others', () => {
    const tree = treeOf(['root'], ['a', 'root', 2], ['late', 'root', 6], ['deep', 'a', 4])
    expect(pointsOf(tree, 'deep')).toEqual({ 2: ['root', 'a', 1], 4: ['a', 'deep', 1] })
    expect(pointsOf(tree, 'root')).toEqual({ 2: ['root', 'a', 0], 6: ['root', 'late', 0] })
    expect(threadsWith(tree, 'a', 2)).toEqual(['a', 'deep'])
    expect(threadsWith(tree, 'root', 2)).toEqual(['root', 'late'])
    expect(threadsWith(tree, 'root', 6)).toEqual(['root'])
  })

  it('are those that remain after a deletion, and none for a single one', () => {
    expect(pointsOf(treeOf(['a', 'root', 2], ['b', 'root', 2]), 'b')).toEqual({ 2: ['a', 'b', 1] })
    expect(pointsOf(treeOf(['b', 'root', 2]), 'b')).toEqual({})
  })
})
