// Finds blocks of code: a complete shell script, or the code blocks of a Markdown file.

import { linesOf } from './base/pieces.ts'
import type { Source } from './base/source.ts'

/** A block of code in `source.text`. */
export interface CodeUnit {
  readonly language: 'shell' | 'windows' | 'python' | 'javascript' | 'typescript'
  readonly from: number
  readonly to: number
}

// In lists and quotations, the opening fence follows their marker; the closing fence is only indented.
const INDENT = '(?:[ \\t>]|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t])){0,100}'
const OPENS = new RegExp(`^${INDENT}(\`{3,}|~{3,})[ \\t]{0,20}\\{?\\.?([\\w+-]{0,20})`)
const CLOSES = /^[ \t>]{0,100}(`{3,}|~{3,})[ \t]*\r?$/
/** Windows shells. Only their downloads are followed. */
const WINDOWS = /^(?:powershell|pwsh|ps1|ps|posh|bat|batch|cmd|dos)$/i
const LANGUAGES: readonly (readonly [RegExp, CodeUnit['language']])[] = [
  [/^(?:|sh|bash|zsh|shell|console|terminal|shell-session|sh-session|shellscript)$/i, 'shell'],
  [WINDOWS, 'windows'],
  [/^(?:python[23]?|py3?|ipython[23]?|pycon)$/i, 'python'],
  [/^(?:js|jsx|mjs|cjs|javascript|node|nodejs)$/i, 'javascript'],
  [/^(?:ts|tsx|mts|cts|typescript|deno)$/i, 'typescript'],
]

/**
 * The first line of an indented code block. Such a block counts as shell code only if it begins with a known
 * command.
 */
const INDENTED =
  /^(?: {4}|\t)[ \t]{0,8}(?:[$%>] )?(?:sudo |[A-Z_]{1,40}=\S{0,80} )?(?:curl|wget|unzip|7z[az]?|tar|unrar|bsdtar|hdiutil|openssl|gpg|base64|xxd|echo|printf|cat|dig|nc|ncat|source|eval|bash|sh|zsh|chmod|export|cd|mkdir|iwr|irm|iex|powershell|pwsh)\s/

/** A code block in a language that is not parsed. */
export interface OtherFence {
  readonly word: string
  readonly at: number
}

interface Code {
  readonly units: readonly CodeUnit[]
  readonly others: readonly OtherFence[]
}

interface Open {
  readonly mark: string
  readonly word: string
  readonly line: number
  readonly from: number
}

/**
 * The code of a file. Blocks without a language count as shell, and an unclosed block extends to the end of
 * the file.
 */
export function codeIn(source: Source): Code {
  const text = source.text ?? ''
  if (source.language === 'shell')
    return { units: [{ language: 'shell', from: 0, to: text.length }], others: [] }
  if (/\.(?:psm?1|bat|cmd)$/i.test(source.path))
    return { units: [{ language: 'windows', from: 0, to: text.length }], others: [] }
  const units: CodeUnit[] = []
  const others: OtherFence[] = []
  if (source.language !== 'markdown') return { units, others }
  let open: Open | null = null
  let indented: number | null = null
  let wasEmpty = true
  const close = ({ word, line, from }: Open, to: number): void => {
    const language = LANGUAGES.find(([pattern]) => pattern.test(word))?.[1]
    if (language) units.push({ language, from: Math.min(from, to), to })
    if (!language || language === 'windows') others.push({ word, at: line })
  }
  for (const [line, offset] of linesOf(text)) {
    const isEmpty = line.trim() === ''
    if (indented !== null && !isEmpty && (!/^(?: {4}|\t)/.test(line) || OPENS.test(line))) {
      units.push({ language: 'shell', from: indented, to: offset })
      indented = null
    }
    if (open === null && indented === null && wasEmpty && INDENTED.test(line)) indented = offset
    wasEmpty = isEmpty
    if (indented !== null) continue
    if (open) {
      const mark = CLOSES.exec(line)?.[1] ?? ''
      if (mark[0] !== open.mark[0] || mark.length < open.mark.length) continue
      close(open, offset)
      open = null
    } else {
      const [whole = '', mark = '', word = ''] = OPENS.exec(line) ?? []
      // A line may also begin with inline code in several backticks.
      const inline = mark.startsWith('`') && line.includes('`', whole.length)
      if (mark !== '' && !inline) open = { mark, word, line: offset, from: offset + line.length }
    }
  }
  if (open) close(open, text.length)
  if (indented !== null) units.push({ language: 'shell', from: indented, to: text.length })
  return { units, others }
}
