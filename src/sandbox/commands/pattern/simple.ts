// Finds patterns for which JavaScript's engine returns the longest match in few steps. Other patterns go to RE2, which
// is slower but linear.

import type { CharSet } from './char-set.ts'
import type { Tree } from './tree.ts'

/** Maximum number of steps of JavaScript's engine for one text, which take a few milliseconds. */
const STEPS = 2_000_000

/**
 * Maximum length of a text for which JavaScript's engine finds the longest match within STEPS; 0 if it may not find
 * it.
 *
 * Two kinds of patterns qualify. In a flat pattern, only single characters are repeated, and everything else has a
 * fixed length. Greedy repetition from the left then gives the longest match, because starting the rest of the pattern
 * later never makes it end earlier. In a deterministic pattern, each next character allows only one way to continue.
 */
export function textLimit(tree: Tree): number {
  const flat = flatItems(tree)
  if (flat) {
    const loops = flat.filter(
      (item, at) => item.kind === 'repeat' && item.max > 1 && meetsRest(flat, at),
    ).length
    // The engine may try each start, each choice of lengths, and the characters up to the next failure.
    const anchored =
      flat[0]?.kind === 'mark' && (flat[0].mark === 'lineStart' || flat[0].mark === 'textStart')
    return Math.floor(STEPS ** (1 / (loops + (anchored ? 1 : 2))))
  }
  return determined(tree) ? 1_000 : 0
}

/** The items of a flat pattern in order, without groups; null for other patterns. */
function flatItems(tree: Tree): Tree[] | null {
  if (tree.kind === 'sequence') {
    const items: Tree[] = []
    for (const item of tree.items) {
      const inner = flatItems(item)
      if (!inner) return null
      items.push(...inner)
    }
    return items
  }
  if (tree.kind === 'group') return flatItems(tree.body)
  if (tree.kind === 'repeat' && tree.body.kind === 'char') return [tree]
  return fixedLength(tree) === null ? null : [tree]
}

/**
 * The length of every match; null if lengths differ. Repeated groups do not qualify, because they would keep only
 * their last text.
 */
function fixedLength(tree: Tree): number | null {
  switch (tree.kind) {
    case 'char':
      return 1
    case 'mark':
      return 0
    case 'sequence': {
      let sum = 0
      for (const item of tree.items) {
        const length = fixedLength(item)
        if (length === null) return null
        sum += length
      }
      return sum
    }
    case 'choice': {
      const lengths = tree.options.map(fixedLength)
      return lengths.every((length) => length === lengths[0]) ? (lengths[0] ?? null) : null
    }
    case 'group':
      return hasChoice(tree.body) ? null : fixedLength(tree.body)
    case 'repeat': {
      const length = fixedLength(tree.body)
      return length !== null && tree.min === tree.max && length * tree.min <= 1_000 ? length * tree.min : null
    }
    case 'reference':
    default:
      return null
  }
}

/** Overlapping options of equal length could give a group different texts. */
function hasChoice(tree: Tree): boolean {
  return tree.kind === 'choice' ? tree.options.some((option) => option.kind === 'group') : false
}

/** Whether characters of a repetition could also match what follows it. */
function meetsRest(items: readonly Tree[], at: number): boolean {
  const item = items[at]
  if (item?.kind !== 'repeat' || item.body.kind !== 'char') return false
  const follow = new Follow()
  follow.sequence(items.slice(at + 1))
  const { set } = item.body
  return follow.sets.some((other) => set.meets(other))
}

/** Collects the characters with which an expression can begin. */
class Follow {
  readonly sets: CharSet[] = []

  /** Returns true if the whole sequence can be empty. */
  sequence(items: readonly Tree[]): boolean {
    return items.every((item) => this.tree(item))
  }

  tree(tree: Tree): boolean {
    switch (tree.kind) {
      case 'char':
        this.sets.push(tree.set)
        return false
      case 'sequence':
        return this.sequence(tree.items)
      case 'choice':
        return tree.options.map((option) => this.tree(option)).includes(true)
      case 'group':
        return this.tree(tree.body)
      case 'repeat':
        return this.tree(tree.body) || tree.min === 0
      case 'mark':
      case 'reference':
      default:
        return true
    }
  }
}

function firstOf(tree: Tree): { sets: readonly CharSet[]; empty: boolean } {
  const follow = new Follow()
  const empty = follow.tree(tree)
  return { sets: follow.sets, empty }
}

function determined(tree: Tree): boolean {
  return isDetermined(tree, [])
}

/** `after` are the characters that may follow the expression. */
function isDetermined(tree: Tree, after: readonly CharSet[]): boolean {
  switch (tree.kind) {
    case 'char':
      return true
    case 'mark':
      // Positions inside repetitions and choices are left to the other engines. At the top level they need no special
      // handling.
      return true
    case 'sequence': {
      let following = after
      for (const item of tree.items.toReversed()) {
        if (!isDetermined(item, following)) return false
        const { sets, empty } = firstOf(item)
        following = empty ? [...sets, ...following] : sets
      }
      return true
    }
    case 'choice': {
      const firsts = tree.options.map(firstOf)
      if (firsts.some(({ empty }) => empty)) return false
      const apart = firsts.every(({ sets }, at) =>
        firsts.slice(at + 1).every((other) => !meet(sets, other.sets)),
      )
      return apart && tree.options.every((option) => isDetermined(option, after))
    }
    case 'group':
      return isDetermined(tree.body, after)
    case 'repeat': {
      const { sets, empty } = firstOf(tree.body)
      if (empty || meet(sets, after)) return false
      // JavaScript clears the groups of earlier iterations, which is visible if a choice within the repetition skips a
      // group.
      if (tree.max > 1 && hasGroupThatMayMiss(tree.body, false)) return false
      return isDetermined(tree.body, tree.max > 1 ? [...sets, ...after] : after)
    }
    case 'reference':
    default:
      return false
  }
}

function hasGroupThatMayMiss(tree: Tree, mayMiss: boolean): boolean {
  switch (tree.kind) {
    case 'group':
      return mayMiss || hasGroupThatMayMiss(tree.body, mayMiss)
    case 'sequence':
      return tree.items.some((item) => hasGroupThatMayMiss(item, mayMiss))
    case 'choice':
      return tree.options.some((option) => hasGroupThatMayMiss(option, true))
    case 'repeat':
      return hasGroupThatMayMiss(tree.body, mayMiss || tree.min === 0)
    case 'char':
    case 'mark':
    case 'reference':
    default:
      return false
  }
}

function meet(some: readonly CharSet[], others: readonly CharSet[]): boolean {
  return some.some((one) => others.some((other) => one.meets(other)))
}
