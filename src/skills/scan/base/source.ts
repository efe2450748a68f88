// One file of a skill as the rules see it: its text, language and lines. Applies no rule.

import { fromUtf8 } from '../../../lib/bytes.ts'
import { SKILL_FILE } from '../../format/finding.ts'

type Language = 'python' | 'javascript' | 'shell' | 'markdown' | 'other'

export interface Source {
  readonly path: string
  readonly bytes: Uint8Array
  /** The text without NUL characters, which shells and readers skip; null for a binary file. */
  readonly text: string | null
  readonly language: Language
  /** A file named SKILL.md, at the root or nested. */
  readonly isSkill: boolean
  /** 1-based line of an offset in `text`. */
  lineAt(offset: number): number
}

const SUFFIXES: readonly (readonly [RegExp, Language])[] = [
  [/\.pyw?$/i, 'python'],
  [/\.(?:[cm]?[jt]s|[jt]sx)$/i, 'javascript'],
  [/\.(?:sh|bash|zsh|ksh|dash|command)$/i, 'shell'],
  [/\.(?:md|markdown|mdx)$/i, 'markdown'],
]
const SHEBANGS: readonly (readonly [RegExp, Language])[] = [
  [/^#!.*\bpython/, 'python'],
  [/^#!.*\b(?:node|deno|bun|tsx)\b/, 'javascript'],
  [/^#!.*\b(?:ba|z|da|k)?sh\b/, 'shell'],
]
const SHEBANG_BYTES = 200

export function sourceOf(path: string, bytes: Uint8Array): Source {
  const language = languageOf(path, bytes)
  const text = textOf(path, bytes, language)
  return {
    path,
    bytes,
    text,
    language,
    isSkill: path === SKILL_FILE || path.endsWith(`/${SKILL_FILE}`),
    lineAt: lineCounter(text ?? ''),
  }
}

const NAMED_TEXT = /\.(?:txt|rst|adoc|json[lc5]?|ya?ml|toml|ini|cfg|conf|csv|xml|svg|html?|css)$/i
const LOOKED_AT_BYTES = 4_096
/**
 * Maximum shares of control characters in text: valid UTF-8, and other encodings. A tenth of compressed data
 * is controls.
 */
const CONTROLS_MAX = 0.25
const CONTROLS_OF_OTHERS_MAX = 0.01
/** File types that mix text and compressed data. They are read as text only if they are valid UTF-8. */
const MIXED = /\.(?:pdf|e?ps|ai|psd|sqlite3?|db|plist|ole|msg)$/i

/**
 * The text of a file, or null if it is binary. A file with a text suffix counts as text even if some bytes
 * are invalid.
 */
function textOf(path: string, bytes: Uint8Array, language: Language): string | null {
  const plain = bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes
  const text = fromUtf8(plain)
  if (language === 'other' && !NAMED_TEXT.test(path)) {
    const controls = shareOfControls(bytes.subarray(0, LOOKED_AT_BYTES))
    if (controls > (text === null ? CONTROLS_OF_OTHERS_MAX : CONTROLS_MAX)) return null
    if (text === null && MIXED.test(path)) return null
  }
  return text ?? new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(plain)
}

function shareOfControls(bytes: Uint8Array): number {
  let controls = 0
  for (const byte of bytes) if ((byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d)) || byte === 0x7f) controls++
  return controls / Math.max(1, bytes.byteLength)
}

function languageOf(path: string, bytes: Uint8Array): Language {
  const bySuffix = SUFFIXES.find(([suffix]) => suffix.test(path))
  if (bySuffix) return bySuffix[1]
  const first = new TextDecoder()
    .decode(bytes.subarray(0, SHEBANG_BYTES))
    .replaceAll('\0', '')
    .split(/[\r\n]/, 1)[0]
  return SHEBANGS.find(([shebang]) => shebang.test(first ?? ''))?.[1] ?? 'other'
}

/**
 * Returns a function from offsets to 1-based lines. It indexes the lines on its first call, because most
 * files have no finding.
 */
export function lineCounter(text: string): (offset: number) => number {
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
