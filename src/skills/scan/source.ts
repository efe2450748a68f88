// One file of a skill as the rules see it: its text if it is text, what kind it is, and lines. Judges nothing.

import { fromUtf8 } from '../../lib/bytes.ts'
import { SKILL_FILE } from '../format/finding.ts'

type Language = 'python' | 'javascript' | 'shell' | 'markdown' | 'other'

export interface Source {
  readonly path: string
  readonly bytes: Uint8Array
  /** Null: binary (a NUL early on, or not UTF-8). */
  readonly text: string | null
  readonly language: Language
  /** A file called SKILL.md, at the root or nested. */
  readonly isSkill: boolean
  /** 1-based line of an offset in `text`. */
  lineAt(offset: number): number
}

const SUFFIXES: readonly (readonly [RegExp, Language])[] = [
  [/\.pyw?$/i, 'python'],
  [/\.(?:[cm]?[jt]s|[jt]sx)$/i, 'javascript'],
  [/\.(?:sh|bash|zsh)$/i, 'shell'],
  [/\.(?:md|markdown|mdx)$/i, 'markdown'],
]
const SHEBANGS: readonly (readonly [RegExp, Language])[] = [
  [/^#!.*\bpython/, 'python'],
  [/^#!.*\b(?:node|deno|bun|tsx)\b/, 'javascript'],
  [/^#!.*\b(?:ba|z|da|k)?sh\b/, 'shell'],
]
const NUL_WINDOW_BYTES = 4_096
const SHEBANG_BYTES = 200

export function sourceOf(path: string, bytes: Uint8Array): Source {
  const text = bytes.subarray(0, NUL_WINDOW_BYTES).includes(0) ? null : fromUtf8(bytes)
  return {
    path,
    bytes,
    text,
    language: languageOf(path, bytes),
    isSkill: path === SKILL_FILE || path.endsWith(`/${SKILL_FILE}`),
    lineAt: lineCounter(text ?? ''),
  }
}

function languageOf(path: string, bytes: Uint8Array): Language {
  const bySuffix = SUFFIXES.find(([suffix]) => suffix.test(path))
  if (bySuffix) return bySuffix[1]
  if (bytes[0] !== 0x23 || bytes[1] !== 0x21) return 'other'
  const first = new TextDecoder().decode(bytes.subarray(0, SHEBANG_BYTES)).split(/[\r\n]/, 1)[0] ?? ''
  return SHEBANGS.find(([shebang]) => shebang.test(first))?.[1] ?? 'other'
}

// Line starts are found once, when the first finding asks for a line; most files never do.
function lineCounter(text: string): (offset: number) => number {
  let starts: number[] | null = null
  return (offset) => {
    if (!starts) {
      starts = [0]
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    }
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
