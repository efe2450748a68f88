// Parses and applies the replacement of the command `s`.

import type { Match } from '../pattern/pattern.ts'
import { escapeAt } from '../pattern/escapes.ts'
import { Unsupported } from '../command.ts'
import type { ReplacementPart } from './script.ts'

const CASES: Readonly<Record<string, ReplacementPart>> = {
  U: { kind: 'mode', mode: 'upper' },
  L: { kind: 'mode', mode: 'lower' },
  E: { kind: 'mode', mode: 'none' },
  u: { kind: 'once', once: 'upper' },
  l: { kind: 'once', once: 'lower' },
}

/** Parses the text between the delimiters. */
export function parseReplacement(text: string): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = []
  let plain = ''
  const add = (part: ReplacementPart): void => {
    if (plain !== '') parts.push({ kind: 'text', text: plain })
    plain = ''
    parts.push(part)
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text[at] ?? ''
    if (unit === '&') add({ kind: 'group', index: 0 })
    else if (unit !== '\\') plain += unit
    else {
      const next = text[at + 1] ?? ''
      const escaped = escapeAt(text, at)
      const change = Object.hasOwn(CASES, next) ? CASES[next] : undefined
      if (escaped) {
        plain += escaped.char
        at += escaped.length - 1
        continue
      }
      at++
      if (next >= '0' && next <= '9') add({ kind: 'group', index: Number(next) })
      else if (change) add(change)
      else if (next === 'c') throw new Unsupported(String.raw`sed \c`, String.raw`\xHH`)
      else plain += next
    }
  }
  if (plain !== '') parts.push({ kind: 'text', text: plain })
  return parts
}

export function largestGroup(parts: readonly ReplacementPart[]): number {
  return Math.max(0, ...parts.map((part) => (part.kind === 'group' ? part.index : 0)))
}

/** The text that replaces `match` in `text`. */
export function replacementOf(parts: readonly ReplacementPart[], match: Match, text: string): string {
  let result = ''
  let mode: 'upper' | 'lower' | 'none' = 'none'
  let once: 'upper' | 'lower' | null = null
  for (const part of parts) {
    if (part.kind === 'mode') {
      mode = part.mode
      once = null
    } else if (part.kind === 'once') ({ once } = part)
    else {
      let piece =
        part.kind === 'text'
          ? part.text
          : part.index === 0
            ? text.slice(match.start, match.end)
            : match.group(part.index)
      if (piece === '') continue
      if (mode !== 'none') piece = changed(piece, mode)
      if (once) {
        const first = String.fromCodePoint(piece.codePointAt(0) ?? 0)
        piece = changed(first, once) + piece.slice(first.length)
        once = null
      }
      result += piece
    }
  }
  return result
}

/** A character whose other case has several characters stays unchanged, as in the C library. */
function changed(text: string, to: 'upper' | 'lower'): string {
  const whole = to === 'upper' ? text.toUpperCase() : text.toLowerCase()
  if (whole.length === text.length) return whole
  return Array.from(text)
    .map((char) => {
      const other = to === 'upper' ? char.toUpperCase() : char.toLowerCase()
      return other.length === char.length ? other : char
    })
    .join('')
}
