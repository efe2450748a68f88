// The syntax tree of a Perl regular expression.

import type { CharSet } from '../pattern/char-set.ts'

export type PerlMark =
  | 'lineStart'
  | 'lineEnd'
  | 'textStart'
  | 'textEnd'
  /** The end of the text, or the line feed before it. */
  | 'lastLineEnd'
  | 'wordEdge'
  | 'noWordEdge'
  | 'noWordBefore'
  | 'noWordAfter'

export type PerlTree =
  | { readonly kind: 'char'; readonly set: CharSet; readonly ignoreCase: boolean }
  | { readonly kind: 'sequence'; readonly items: readonly PerlTree[] }
  | { readonly kind: 'choice'; readonly options: readonly PerlTree[] }
  | { readonly kind: 'group'; readonly index: number; readonly body: PerlTree }
  /** `max` may be infinite. */
  | {
      readonly kind: 'repeat'
      readonly body: PerlTree
      readonly min: number
      readonly max: number
      readonly lazy: boolean
    }
  | { readonly kind: 'mark'; readonly mark: PerlMark }
  | { readonly kind: 'reference'; readonly index: number; readonly ignoreCase: boolean }
  | { readonly kind: 'look'; readonly behind: boolean; readonly negated: boolean; readonly body: PerlTree }
  /** A group that does not backtrack into its first match. */
  | { readonly kind: 'atomic'; readonly body: PerlTree }
  /** `\K`: the match begins here. */
  | { readonly kind: 'keep' }

/** The parts directly below a node. */
export function partsOf(tree: PerlTree): readonly PerlTree[] {
  switch (tree.kind) {
    case 'sequence':
      return tree.items
    case 'choice':
      return tree.options
    case 'group':
    case 'repeat':
    case 'look':
    case 'atomic':
      return [tree.body]
    case 'char':
    case 'mark':
    case 'reference':
    case 'keep':
    default:
      return []
  }
}

/** The length of every match; null if lengths differ. */
export function lengthOf(tree: PerlTree): number | null {
  switch (tree.kind) {
    case 'char':
      return 1
    case 'sequence': {
      let sum = 0
      for (const item of tree.items) {
        const length = lengthOf(item)
        if (length === null) return null
        sum += length
      }
      return sum
    }
    case 'choice': {
      const [first = null, ...others] = tree.options.map(lengthOf)
      return others.every((length) => length === first) ? first : null
    }
    case 'group':
    case 'atomic':
      return lengthOf(tree.body)
    case 'repeat': {
      const length = lengthOf(tree.body)
      return length !== null && tree.min === tree.max ? length * tree.min : null
    }
    case 'reference':
      return null
    case 'mark':
    case 'look':
    case 'keep':
    default:
      return 0
  }
}
