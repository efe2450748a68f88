// Finds a text that every match of a pattern contains, for a fast search by bytes.

import type { Tree } from '../pattern/tree.ts'

/** The longest run of characters at the top level of the pattern; empty if there is none. */
export function needleOf(tree: Tree): string {
  const runs = ['']
  const add = (text: string): void => {
    runs[runs.length - 1] += text
  }
  const visit = (node: Tree): void => {
    switch (node.kind) {
      case 'char': {
        const char = node.set.single()
        if (char === null) runs.push('')
        else add(char)
        return
      }
      case 'sequence':
        node.items.forEach(visit)
        return
      case 'group':
        visit(node.body)
        return
      case 'repeat':
        if (node.min > 0) visit(node.body)
        // What follows may not be adjacent to the first repetition.
        runs.push('')
        return
      case 'mark':
        return
      case 'choice':
      case 'reference':
      default:
        runs.push('')
    }
  }
  visit(tree)
  return runs.toSorted((one, other) => other.length - one.length)[0] ?? ''
}
