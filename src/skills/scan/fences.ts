// Where code is: a whole shell script, or the fences of a Markdown file that hold commands or code.

import { linesOf } from './base/pieces.ts'
import type { Source } from './base/source.ts'

/** A run of code inside `source.text`. */
export interface CodeUnit {
  readonly language: 'shell' | 'windows' | 'python' | 'javascript' | 'typescript'
  readonly from: number
  readonly to: number
}

// Lists and quotations put their marks before a fence, and close it with blanks alone.
const INDENT = '(?:[ \\t>]|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t])){0,100}'
const OPENS = new RegExp(`^${INDENT}(\`{3,}|~{3,})[ \\t]{0,20}\\{?\\.?([\\w+-]{0,20})`)
const CLOSES = /^[ \t>]{0,100}(`{3,}|~{3,})[ \t]*\r?$/
/** Shells of Windows: what they download and run is followed, no more. */
const WINDOWS = /^(?:powershell|pwsh|ps1|ps|posh|bat|batch|cmd|dos)$/i
const LANGUAGES: readonly (readonly [RegExp, CodeUnit['language']])[] = [
  [/^(?:|sh|bash|zsh|shell|console|terminal|shell-session|sh-session|shellscript)$/i, 'shell'],
  [WINDOWS, 'windows'],
  [/^(?:python[23]?|py3?|ipython[23]?|pycon)$/i, 'python'],
  [/^(?:js|jsx|mjs|cjs|javascript|node|nodejs)$/i, 'javascript'],
  [/^(?:ts|tsx|mts|cts|typescript|deno)$/i, 'typescript'],
]

/**
 * Markdown shows lines that are indented after an empty one as code, too; they count when a command begins the first.
 */
const INDENTED =
  /^(?: {4}|\t)[ \t]{0,8}(?:[$%>] )?(?:sudo |[A-Z_]{1,40}=\S{0,80} )?(?:curl|wget|unzip|7z[az]?|tar|unrar|bsdtar|hdiutil|openssl|gpg|base64|xxd|echo|printf|cat|dig|nc|ncat|source|eval|bash|sh|zsh|chmod|export|cd|mkdir|iwr|irm|iex|powershell|pwsh)\s/

/** A fence in a language that no rule reads. */
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

/** Fences without a language count as shell: commands are often written so. An unclosed fence goes to the end. */
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
      // Code within a line may begin it, too.
      const inline = mark.startsWith('`') && line.includes('`', whole.length)
      if (mark !== '' && !inline) open = { mark, word, line: offset, from: offset + line.length }
    }
  }
  if (open) close(open, text.length)
  if (indented !== null) units.push({ language: 'shell', from: indented, to: text.length })
  return { units, others }
}
