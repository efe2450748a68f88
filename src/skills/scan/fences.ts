// Finds blocks of code: a complete shell script, or the code blocks of a Markdown file.

import { linesOf } from './base/pieces.ts'
import type { Source } from './base/source.ts'

/** A block of code in `source.text`. */
export interface CodeRange {
  readonly language: 'shell' | 'windows' | 'python' | 'javascript' | 'typescript'
  readonly from: number
  readonly to: number
}

// In lists and quotations, the opening fence follows their marker; the closing fence is only indented.
const FENCE_INDENT = '(?:[ \\t>]|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t])){0,100}'
const OPENING_FENCE = new RegExp(`^${FENCE_INDENT}(\`{3,}|~{3,})[ \\t]{0,20}\\{?\\.?([\\w+-]{0,20})`)
const CLOSING_FENCE = /^[ \t>]{0,100}(`{3,}|~{3,})[ \t]*\r?$/
/** Windows shells. Only their downloads are followed. */
const WINDOWS_LANGUAGES = /^(?:powershell|pwsh|ps1|ps|posh|bat|batch|cmd|dos)$/i
const LANGUAGES: readonly (readonly [RegExp, CodeRange['language']])[] = [
  [/^(?:|sh|bash|zsh|shell|console|terminal|shell-session|sh-session|shellscript)$/i, 'shell'],
  [WINDOWS_LANGUAGES, 'windows'],
  [/^(?:python[23]?|py3?|ipython[23]?|pycon)$/i, 'python'],
  [/^(?:js|jsx|mjs|cjs|javascript|node|nodejs)$/i, 'javascript'],
  [/^(?:ts|tsx|mts|cts|typescript|deno)$/i, 'typescript'],
]

/**
 * The first line of an indented code block. Such a block counts as shell code only if it begins with a known
 * command.
 */
const INDENTED_COMMAND =
  /^(?: {4}|\t)[ \t]{0,8}(?:[$%>] )?(?:sudo |[A-Z_]{1,40}=\S{0,80} )?(?:curl|wget|unzip|7z[az]?|tar|unrar|bsdtar|hdiutil|openssl|gpg|base64|xxd|echo|printf|cat|dig|nc|ncat|source|eval|bash|sh|zsh|chmod|export|cd|mkdir|iwr|irm|iex|powershell|pwsh)\s/

/** A code block in a language that is not parsed. */
export interface UnparsedFence {
  readonly languageTag: string
  readonly offset: number
}

interface CodeBlocks {
  readonly blocks: readonly CodeRange[]
  readonly unparsed: readonly UnparsedFence[]
}

/** A fence that is not closed yet. `from` is the end of its line. */
interface OpenFence {
  readonly fence: string
  readonly languageTag: string
  readonly lineOffset: number
  readonly from: number
}

/** The code blocks of a file. Blocks without a language count as shell; an unclosed block ends with the file. */
export function findCodeBlocks(source: Source): CodeBlocks {
  const text = source.text ?? ''
  if (source.language === 'shell')
    return { blocks: [{ language: 'shell', from: 0, to: text.length }], unparsed: [] }
  if (/\.(?:psm?1|bat|cmd)$/i.test(source.path))
    return { blocks: [{ language: 'windows', from: 0, to: text.length }], unparsed: [] }
  const blocks: CodeRange[] = []
  const unparsed: UnparsedFence[] = []
  if (source.language !== 'markdown') return { blocks, unparsed }
  let openFence: OpenFence | null = null
  let indentedFrom: number | null = null
  let wasLineEmpty = true
  const close = ({ languageTag, lineOffset, from }: OpenFence, to: number): void => {
    const language = LANGUAGES.find(([pattern]) => pattern.test(languageTag))?.[1]
    if (language) blocks.push({ language, from: Math.min(from, to), to })
    if (!language || language === 'windows') unparsed.push({ languageTag, offset: lineOffset })
  }
  for (const [line, offset] of linesOf(text)) {
    const isLineEmpty = line.trim() === ''
    if (indentedFrom !== null && !isLineEmpty && (!/^(?: {4}|\t)/.test(line) || OPENING_FENCE.test(line))) {
      blocks.push({ language: 'shell', from: indentedFrom, to: offset })
      indentedFrom = null
    }
    if (openFence === null && indentedFrom === null && wasLineEmpty && INDENTED_COMMAND.test(line))
      indentedFrom = offset
    wasLineEmpty = isLineEmpty
    if (indentedFrom !== null) continue
    if (openFence) {
      const fence = CLOSING_FENCE.exec(line)?.[1] ?? ''
      if (fence[0] !== openFence.fence[0] || fence.length < openFence.fence.length) continue
      close(openFence, offset)
      openFence = null
    } else {
      const [opening = '', fence = '', languageTag = ''] = OPENING_FENCE.exec(line) ?? []
      // A line may also begin with inline code in several backticks.
      const isInline = fence.startsWith('`') && line.includes('`', opening.length)
      if (fence !== '' && !isInline)
        openFence = { fence, languageTag, lineOffset: offset, from: offset + line.length }
    }
  }
  if (openFence) close(openFence, text.length)
  if (indentedFrom !== null) blocks.push({ language: 'shell', from: indentedFrom, to: text.length })
  return { blocks, unparsed }
}
