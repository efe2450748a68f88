// A code block whose fence is still open. Its text is taken from the source directly, without the parser.

import type { Token } from 'markdown-it'

export interface GrowingFence {
  readonly language: string
  /** The code so far. `source` starts at the opening fence. */
  content(source: string): string
  /** Whether a complete line of `source` closes the fence. Each line is checked only once. */
  isClosedIn(source: string): boolean
}

/**
 * Returns null for a closed fence, and for an indented fence, because the parser would remove the indent from its lines. `lines`
 * starts with the opening fence.
 */
export function createGrowingFence({ markup, info }: Token, lines: string): GrowingFence | null {
  const marker = markup[0] ?? '`'
  const contentStart = lines.indexOf('\n') + 1
  if (!lines.startsWith(marker)) return null
  const closingFence = new RegExp(`^ {0,3}${marker}{${markup.length},}[ \\t]*$`)
  let checkedTo = contentStart
  const fence: GrowingFence = {
    language: info,
    content(source) {
      const lastLine = source.slice(source.lastIndexOf('\n') + 1)
      // The last line may be the beginning of the closing fence.
      const isPartialFence = /^ {0,3}(?:`+|~+)$/.test(lastLine) && lastLine.trimStart().startsWith(marker)
      return source.slice(contentStart, isPartialFence ? -lastLine.length : undefined)
    },
    isClosedIn(source) {
      for (;;) {
        const next = source.indexOf('\n', checkedTo)
        if (next < 0) return false
        if (closingFence.test(source.slice(checkedTo, next))) return true
        checkedTo = next + 1
      }
    },
  }
  return fence.isClosedIn(lines) ? null : fence
}
