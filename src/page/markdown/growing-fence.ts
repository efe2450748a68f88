// Code whose fence is still open: its lines are taken as they are, without a parser.

import type { Token } from 'markdown-it'

export interface GrowingFence {
  readonly language: string
  /** What stands in it, of the source from the fence's first line. */
  content(source: string): string
  /** Whether a complete line ends it. Looks at each line once. */
  closesIn(source: string): boolean
}

/** Null: an indented fence, whose lines lose their indent, or one that is closed already. `lines`: from its first on. */
export function growingFence({ markup, info }: Token, lines: string): GrowingFence | null {
  const sign = markup[0] ?? '`'
  const begin = lines.indexOf('\n') + 1
  if (!lines.startsWith(sign)) return null
  const end = new RegExp(`^ {0,3}${sign}{${markup.length},}[ \\t]*$`)
  let looked = begin
  const fence: GrowingFence = {
    language: info,
    content(source) {
      const last = source.slice(source.lastIndexOf('\n') + 1)
      // The signs of its end, as far as they came.
      const half = /^ {0,3}(?:`+|~+)$/.test(last) && last.trimStart().startsWith(sign)
      return source.slice(begin, half ? -last.length : undefined)
    },
    closesIn(source) {
      for (;;) {
        const next = source.indexOf('\n', looked)
        if (next < 0) return false
        if (end.test(source.slice(looked, next))) return true
        looked = next + 1
      }
    },
  }
  return fence.closesIn(lines) ? null : fence
}
