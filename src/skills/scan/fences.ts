// Where code stands: a whole shell script, or the fences of a Markdown file that hold commands or code.

import { linesOf } from './pieces.ts'
import type { Source } from './source.ts'

/** A run of code inside `source.text`. */
export interface CodeUnit {
  readonly language: 'shell' | 'python' | 'javascript' | 'typescript'
  readonly from: number
  readonly to: number
}

const FENCE = /^[ \t>]{0,20}(`{3,20}|~{3,20})[ \t]{0,20}\{?\.?([\w+-]{0,20})/
const LANGUAGES: readonly (readonly [RegExp, CodeUnit['language']])[] = [
  [/^(?:|sh|bash|zsh|shell|console|terminal|shell-session|sh-session|shellscript)$/i, 'shell'],
  [/^(?:python[23]?|py3?|ipython[23]?|pycon)$/i, 'python'],
  [/^(?:js|jsx|mjs|cjs|javascript|node|nodejs)$/i, 'javascript'],
  [/^(?:ts|tsx|mts|cts|typescript|deno)$/i, 'typescript'],
]

interface Open {
  readonly mark: string
  readonly language: CodeUnit['language'] | undefined
  readonly from: number
}

/** Fences without a language count as shell: commands are often written so. An unclosed fence goes to the end. */
export function codeUnits(source: Source): readonly CodeUnit[] {
  const text = source.text ?? ''
  if (source.language === 'shell') return [{ language: 'shell', from: 0, to: text.length }]
  if (source.language !== 'markdown') return []
  const units: CodeUnit[] = []
  let open: Open | null = null
  for (const [line, offset] of linesOf(text)) {
    const [, mark = '', word = ''] = FENCE.exec(line) ?? []
    if (mark === '') continue
    if (!open) {
      const language = LANGUAGES.find(([pattern]) => pattern.test(word))?.[1]
      open = { mark, language, from: offset + line.length }
    } else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && word === '') {
      if (open.language) units.push({ language: open.language, from: open.from, to: offset })
      open = null
    }
  }
  if (open?.language)
    units.push({ language: open.language, from: Math.min(open.from, text.length), to: text.length })
  return units
}
