// Parses YAML frontmatter into strings, lists and maps. Scalars stay strings, aliases are refused, nothing is thrown.

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { YAMLMap } from 'yaml'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { YamlField, YamlValue } from './yaml-value.ts'

/** Something that YAML allows but the reference validator refuses. */
export interface Remark {
  readonly rule: 'duplicate-key' | 'yaml-tag' | 'yaml-flow-style'
  readonly line: number
  readonly what: string
}

export interface YamlFault {
  readonly rule: 'yaml-invalid' | 'yaml-alias' | 'frontmatter-not-mapping'
  readonly line: number
  readonly message: string
}

export interface YamlRead {
  /** The first occurrence of each field, in order. */
  readonly fields: readonly YamlField[]
  readonly remarks: readonly Remark[]
}

// With uniqueKeys, the library takes quadratic time, so `fields` finds duplicates. Pretty errors would take longer than
// parsing.
const OPTIONS = {
  schema: 'failsafe',
  merge: false,
  uniqueKeys: false,
  stringKeys: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const

/** Parses one mapping. `text` must have passed prescan; `firstLine` is its first line in the file. */
export function readYaml(text: string, firstLine: number): Result<YamlRead, YamlFault> {
  const lines = new LineCounter()
  const lineAt = (offset: number): number => firstLine + Math.max(1, lines.linePos(offset).line) - 1
  const fault = (rule: YamlFault['rule'], offset: number, message: string): Result<never, YamlFault> =>
    err({ rule, line: lineAt(offset), message })
  try {
    const document = withoutStacks(() => parseDocument(text, { ...OPTIONS, lineCounter: lines }))
    const firstError = document.errors[0]
    if (firstError) return fault('yaml-invalid', firstError.pos[0], firstError.message)
    const root = document.contents
    if (!isMap(root))
      return fault('frontmatter-not-mapping', 0, 'The frontmatter is not a mapping of fields.')
    const walk = new YamlWalk(text, lineAt)
    walk.inspect(root)
    const fields = walk.fields(root)
    if (walk.alias !== null) return fault('yaml-alias', walk.alias, 'Anchors and aliases are not accepted.')
    return ok({ fields, remarks: walk.remarks })
  } catch (thrown) {
    // The library throws on some inputs, such as very deep ones. They are invalid.
    return fault('yaml-invalid', 0, thrown instanceof Error ? thrown.message : 'unreadable')
  }
}

/**
 * Runs `work` without stack traces. The library creates an Error for each fault, hundreds of them for hostile input,
 * and capturing their stacks would take longer than parsing.
 */
function withoutStacks<T>(work: () => T): T {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = limit
  }
}

class YamlWalk {
  readonly remarks: Remark[] = []
  /** Offset of the first anchor or alias. */
  alias: number | null = null
  private readonly text: string
  private readonly lineAt: (offset: number) => number

  constructor(text: string, lineAt: (offset: number) => number) {
    this.text = text
    this.lineAt = lineAt
  }

  fields(map: YAMLMap): YamlField[] {
    const fields = new Map<string, YamlField>()
    for (const pair of map.items) {
      const offset = offsetOf(pair.key)
      const key = keyText(pair.key)
      this.inspect(pair.key)
      const field = {
        key,
        value: this.value(pair.value),
        line: this.lineAt(offset),
        endsAtComment: this.endsAtComment(pair.value),
      }
      if (fields.has(key)) this.remark('duplicate-key', offset, key)
      else fields.set(key, field)
    }
    return [...fields.values()]
  }

  private value(node: unknown): YamlValue {
    this.inspect(node)
    if (isSeq(node)) return node.items.map((item) => this.value(item))
    if (isMap(node)) return new Map(this.fields(node).map(({ key, value }) => [key, value]))
    return isScalar(node) && typeof node.value === 'string' ? node.value : ''
  }

  /** Records a node's tags, anchors and other remarks. */
  inspect(node: unknown): void {
    if (isAlias(node)) this.alias ??= offsetOf(node)
    if (!isScalar(node) && !isSeq(node) && !isMap(node)) return
    if (node.anchor !== undefined) this.alias ??= offsetOf(node)
    if (node.tag !== undefined) this.remark('yaml-tag', offsetOf(node), node.tag)
    if (!isScalar(node) && node.flow === true) this.remark('yaml-flow-style', offsetOf(node), '')
  }

  private endsAtComment(node: unknown): boolean {
    if (!isScalar(node) || node.type !== 'PLAIN' || !node.range) return false
    const afterValue = this.text.slice(node.range[1], node.range[2]).split('\n')[0] ?? ''
    return afterValue.trimStart().startsWith('#')
  }

  private remark(rule: Remark['rule'], offset: number, what: string): void {
    this.remarks.push({ rule, line: this.lineAt(offset), what })
  }
}

function keyText(key: unknown): string {
  return isScalar(key) && typeof key.value === 'string' ? key.value : ''
}

function offsetOf(node: unknown): number {
  return isScalar(node) || isSeq(node) || isMap(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0
}
