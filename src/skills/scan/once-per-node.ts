// Questions about a program that lead from node to node, and may lead in a circle.

import type { Node } from './syntax.ts'

/** `find`, asked once a node. Asked again on its way it is false: a circle leads nowhere else by itself. */
export function oncePerNode(find: (node: Node) => boolean): (node: Node) => boolean {
  const answers = new Map<Node, boolean>()
  return (node) => {
    const known = answers.get(node)
    if (known !== undefined) return known
    answers.set(node, false)
    const answer = find(node)
    answers.set(node, answer)
    return answer
  }
}
