// A code block whose fence is still open: takes its lines directly, without the parser.

import type { Token } from 'markdown-it'

export interface GrowingFence {
  readonly language: string
  /** The code in `source`, which starts at the fence's first line. */
  content(source: string): string
  /** Whether a complete line closes the fence. Reads each line once. */
  closesIn(source: string): boolean
}

/** Null for an indented fence, whose lines lose their indent, and for a closed one. `lines` starts with the fence. */
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
      // The received part of a closing fence.
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
