// Translates a tree to a pattern of RE2 or JavaScript.

import { WORD } from './char-set.ts'
import type { Mark, Tree } from './tree.ts'

export interface SourceRules {
  readonly engine: 're2' | 'js'
  /** Whether `^` and `$` match at line ends within the text. */
  readonly byLine: boolean
}

const WORD_JS = WORD.source('u')
const BEFORE = `(?<=${WORD_JS})`
const NOT_BEFORE = `(?<!${WORD_JS})`
const AFTER = `(?=${WORD_JS})`
const NOT_AFTER = `(?!${WORD_JS})`

const MARKS_JS: Readonly<Record<Mark, string>> = {
  lineStart: '^',
  lineEnd: '$',
  textStart: '^',
  textEnd: '$',
  wordEdge: `(?:${BEFORE}${NOT_AFTER}|${NOT_BEFORE}${AFTER})`,
  noWordEdge: `(?:${BEFORE}${AFTER}|${NOT_BEFORE}${NOT_AFTER})`,
  wordStart: NOT_BEFORE + AFTER,
  wordEnd: BEFORE + NOT_AFTER,
  noWordBefore: NOT_BEFORE,
  noWordAfter: NOT_AFTER,
}

/** Returns null if the engine cannot express it. RE2's word boundaries know ASCII letters only. */
export function sourceOf(tree: Tree, rules: SourceRules): string | null {
  const { engine, byLine } = rules
  const write = (node: Tree): string | null => {
    switch (node.kind) {
      case 'char':
        return node.set.source(engine === 'js' ? 'u' : 'x')
      case 'sequence':
        return joined(node.items, '')
      case 'choice': {
        const text = joined(node.options, '|')
        return text === null ? null : `(?:${text})`
      }
      case 'group': {
        const text = write(node.body)
        return text === null ? null : `(${text})`
      }
      case 'repeat': {
        const text = write(node.body)
        if (
          text === null ||
          (engine === 're2' && Math.max(node.min, node.max === Infinity ? 0 : node.max) > 1000)
        )
          return null
        return `(?:${text})${countOf(node.min, node.max)}`
      }
      case 'mark':
        return markOf(node.mark)
      case 'reference':
      default:
        return null
    }
  }
  const joined = (nodes: readonly Tree[], mark: string): string | null => {
    const parts: string[] = []
    for (const node of nodes) {
      const part = write(node)
      if (part === null) return null
      parts.push(part)
    }
    return parts.join(mark)
  }
  const markOf = (mark: Mark): string | null => {
    if (byLine && mark === 'lineStart') return engine === 'js' ? String.raw`(?<![^\n])` : '(?m:^)'
    if (byLine && mark === 'lineEnd') return engine === 'js' ? String.raw`(?![^\n])` : '(?m:$)'
    if (engine === 'js') return MARKS_JS[mark]
    switch (mark) {
      case 'lineStart':
      case 'textStart':
        return String.raw`\A`
      case 'lineEnd':
      case 'textEnd':
        return String.raw`\z`
      case 'wordEdge':
        return String.raw`\b`
      case 'noWordEdge':
        return String.raw`\B`
      case 'noWordAfter':
      case 'noWordBefore':
      case 'wordEnd':
      case 'wordStart':
      default:
        return null
    }
  }
  return write(tree)
}

function countOf(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`
}
