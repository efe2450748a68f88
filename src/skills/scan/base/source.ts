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
  readonly isSkillFile: boolean
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
  const text = decodedText(path, bytes, language)
  return {
    path,
    bytes,
    text,
    language,
    isSkillFile: path === SKILL_FILE || path.endsWith(`/${SKILL_FILE}`),
    lineAt: lineCounter(text ?? ''),
  }
}

const TEXT_SUFFIX = /\.(?:txt|rst|adoc|json[lc5]?|ya?ml|toml|ini|cfg|conf|csv|xml|svg|html?|css)$/i
const SAMPLE_BYTES = 4_096
/**
 * Maximum shares of control characters in text, in valid UTF-8 and in other encodings. In compressed data, a
 * tenth of the characters are control characters.
 */
const UTF8_CONTROLS_MAX = 0.25
const OTHER_CONTROLS_MAX = 0.01
/** File types that mix text and compressed data. They are read as text only if they are valid UTF-8. */
const MIXED_SUFFIX = /\.(?:pdf|e?ps|ai|psd|sqlite3?|db|plist|ole|msg)$/i

/**
 * The text of a file, or null if it is binary. A file with a text suffix counts as text even if some bytes
 * are invalid.
 */
function decodedText(path: string, bytes: Uint8Array, language: Language): string | null {
  const withoutNuls = bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes
  const text = fromUtf8(withoutNuls)
  if (language === 'other' && !TEXT_SUFFIX.test(path)) {
    const controls = controlShare(bytes.subarray(0, SAMPLE_BYTES))
    if (controls > (text === null ? OTHER_CONTROLS_MAX : UTF8_CONTROLS_MAX)) return null
    if (text === null && MIXED_SUFFIX.test(path)) return null
  }
  return text ?? new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(withoutNuls)
}

function controlShare(bytes: Uint8Array): number {
  let controls = 0
  for (const byte of bytes) if ((byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d)) || byte === 0x7f) controls++
  return controls / Math.max(1, bytes.byteLength)
}

function languageOf(path: string, bytes: Uint8Array): Language {
  const bySuffix = SUFFIXES.find(([suffix]) => suffix.test(path))
  if (bySuffix) return bySuffix[1]
  const firstLine = new TextDecoder()
    .decode(bytes.subarray(0, SHEBANG_BYTES))
    .replaceAll('\0', '')
    .split(/[\r\n]/, 1)[0]
  return SHEBANGS.find(([shebang]) => shebang.test(firstLine ?? ''))?.[1] ?? 'other'
}

/**
 * Returns a function from offsets to 1-based lines. It indexes the lines on its first call, because most
 * files have no finding.
 */
export function lineCounter(text: string): (offset: number) => number {
  let lineStarts: number[] | null = null
  return (offset) => {
    if (!lineStarts) {
      lineStarts = [0]
      for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', newline + 1))
        lineStarts.push(newline + 1)
    }
    let low = 0
    let high = lineStarts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((lineStarts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
