// Translates a Perl pattern to one of JavaScript or RE2, if it has the same meaning there.

import { CharSet } from '../pattern/char-set.ts'
import type { Tree } from '../pattern/tree.ts'
import { textLimit } from '../pattern/simple.ts'
import { WORD } from './classes.ts'
import { lengthOf, partsOf, type PerlMark, type PerlTree } from './tree.ts'

const WORD_JS = new CharSet(WORD, false, false).source('u')
const MARKS_JS: Readonly<Record<PerlMark, string>> = {
  textStart: '^',
  textEnd: '$',
  lineStart: String.raw`(?<![^\n])`,
  lineEnd: String.raw`(?![^\n])`,
  lastLineEnd: String.raw`(?=\n?$)`,
  wordEdge: `(?:(?<=${WORD_JS})(?!${WORD_JS})|(?<!${WORD_JS})(?=${WORD_JS}))`,
  noWordEdge: `(?:(?<=${WORD_JS})(?=${WORD_JS})|(?<!${WORD_JS})(?!${WORD_JS}))`,
  noWordBefore: `(?<!${WORD_JS})`,
  noWordAfter: `(?!${WORD_JS})`,
}
const MARKS_RE2: Readonly<Record<PerlMark, string | null>> = {
  textStart: String.raw`\A`,
  textEnd: String.raw`\z`,
  lineStart: '(?m:^)',
  lineEnd: '(?m:$)',
  lastLineEnd: null,
  wordEdge: String.raw`\b`,
  noWordEdge: String.raw`\B`,
  noWordBefore: null,
  noWordAfter: null,
}

/** Returns null if the engine cannot express it. */
export function sourceOf(tree: PerlTree, engine: 'js' | 're2'): string | null {
  const joined = (nodes: readonly PerlTree[], mark: string): string | null => {
    const parts: string[] = []
    for (const node of nodes) {
      const part = sourceOf(node, engine)
      if (part === null) return null
      parts.push(part)
    }
    return parts.join(mark)
  }
  const around = (before: string, body: string | null, after: string): string | null =>
    body === null ? null : before + body + after
  switch (tree.kind) {
    case 'char':
      return tree.set.source(engine === 'js' ? 'u' : 'x')
    case 'sequence':
      return joined(tree.items, '')
    case 'choice':
      return around('(?:', joined(tree.options, '|'), ')')
    case 'group':
      return around('(', sourceOf(tree.body, engine), ')')
    case 'repeat': {
      const most = Math.max(tree.min, tree.max === Infinity ? 0 : tree.max)
      if (engine === 're2' && most > 1_000) return null
      return around(
        '(?:',
        sourceOf(tree.body, engine),
        `)${countOf(tree.min, tree.max)}${tree.lazy ? '?' : ''}`,
      )
    }
    case 'mark':
      return engine === 'js' ? MARKS_JS[tree.mark] : MARKS_RE2[tree.mark]
    case 'look':
      if (engine === 're2') return null
      return around(
        `(?${tree.behind ? '<' : ''}${tree.negated ? '!' : '='}`,
        sourceOf(tree.body, engine),
        ')',
      )
    case 'reference':
    case 'atomic':
    case 'keep':
    default:
      return null
  }
}

function countOf(min: number, max: number): string {
  return max === Infinity ? `{${min},}` : `{${min},${max}}`
}

/** Whether case is ignored everywhere (true), nowhere (false) or in parts (null). */
export function caseOf(tree: PerlTree): boolean | null {
  const found = new Set<boolean>()
  const visit = (node: PerlTree): void => {
    if (node.kind === 'char') found.add(node.ignoreCase)
    partsOf(node).forEach(visit)
  }
  visit(tree)
  return found.size > 1 ? null : found.has(true)
}

const STEPS = 2_000_000

/** Maximum length of a text for which JavaScript's engine needs few steps; 0 if it may need many for any length. */
export function lengthLimit(tree: PerlTree): number {
  const cost = { loops: 0, choices: 1 }
  const bounded = isBounded(tree, cost, 1)
  const own = bounded && cost.choices <= 16 ? Math.floor((STEPS / cost.choices) ** (1 / (cost.loops + 1))) : 0
  const plain = plainTree(tree)
  return Math.max(own, plain ? textLimit(plain) : 0)
}

/** Counts repetitions of variable length, and choices. Returns false if such a repetition contains another. */
function isBounded(tree: PerlTree, cost: { loops: number; choices: number }, times: number): boolean {
  if (tree.kind === 'repeat') {
    if (tree.min !== tree.max) {
      if (lengthOf(tree.body) === null || hasChoice(tree.body)) return false
      cost.loops += times
      return true
    }
    return tree.min <= 20 && isBounded(tree.body, cost, times * tree.min)
  }
  if (tree.kind === 'choice') cost.choices *= tree.options.length ** times
  return partsOf(tree).every((part) => isBounded(part, cost, times))
}

function hasChoice(tree: PerlTree): boolean {
  return tree.kind === 'choice' || partsOf(tree).some(hasChoice)
}

/** The same pattern as a POSIX tree, used only for the estimate. */
function plainTree(tree: PerlTree): Tree | null {
  const all = (nodes: readonly PerlTree[]): Tree[] | null => {
    const plain: Tree[] = []
    for (const node of nodes) {
      const one = plainTree(node)
      if (!one) return null
      plain.push(one)
    }
    return plain
  }
  switch (tree.kind) {
    case 'char':
      return { kind: 'char', set: tree.set }
    case 'sequence': {
      const items = all(tree.items)
      return items && { kind: 'sequence', items }
    }
    case 'choice': {
      const options = all(tree.options)
      return options && { kind: 'choice', options }
    }
    case 'group': {
      const body = plainTree(tree.body)
      return body && { kind: 'group', index: tree.index, body }
    }
    case 'repeat': {
      const body = plainTree(tree.body)
      return body && { kind: 'repeat', body, min: tree.min, max: tree.max }
    }
    case 'mark':
      return { kind: 'mark', mark: tree.mark === 'textStart' ? 'textStart' : 'wordEdge' }
    case 'look':
    case 'reference':
    case 'atomic':
    case 'keep':
    default:
      return null
  }
}
