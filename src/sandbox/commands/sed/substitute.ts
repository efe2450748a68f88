// The command `s`: replaces matches in a text.

import type { Pattern } from '../pattern/pattern.ts'
import { replacementOf } from './replacement.ts'
import type { Substitution } from './script.ts'

/** The new text; null if nothing was replaced. */
export function substituted(text: string, pattern: Pattern, wanted: Substitution): string | null {
  let result = ''
  let copied = 0
  let count = 0
  let from = 0
  /** Ignores an empty match directly after the previous match. */
  let ended = -1
  let replaced = false
  while (from <= text.length) {
    const match = pattern.find(text, from)
    if (!match) break
    const { start, end } = match
    if (start !== end || start !== ended) {
      count++
      if (count >= wanted.number) {
        result += text.slice(copied, start) + replacementOf(wanted.replacement, match, text)
        copied = end
        replaced = true
        if (!wanted.global) break
      }
    }
    ended = end
    from = start === end ? end + (((text.codePointAt(end) ?? 0) > 0xffff && 2) || 1) : end
  }
  return replaced ? result + text.slice(copied) : null
}
