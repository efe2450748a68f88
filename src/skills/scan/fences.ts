// Where shell code stands: a whole script, or the fences of a Markdown file that hold commands.

import { eachLine } from './pieces.ts'
import type { Source } from './source.ts'

/** A run of shell code inside `source.text`. */
export interface ShellUnit {
  readonly from: number
  readonly to: number
}

const FENCE = /^[ \t>]{0,20}(`{3,20}|~{3,20})[ \t]{0,20}\{?\.?([\w+-]{0,20})/
const SHELL = /^(?:|sh|bash|zsh|shell|console|terminal|shell-session|sh-session|shellscript)$/i

/** Fences without a language count: commands are often written so. An unclosed fence goes to the end. */
export function shellUnits(source: Source): readonly ShellUnit[] {
  const text = source.text ?? ''
  if (source.language === 'shell') return [{ from: 0, to: text.length }]
  if (source.language !== 'markdown') return []
  const units: ShellUnit[] = []
  let open: { readonly mark: string; readonly shell: boolean; readonly from: number } | null = null
  eachLine(text, (line, offset) => {
    const [, mark = '', language = ''] = FENCE.exec(line) ?? []
    if (mark === '') return
    if (!open) open = { mark, shell: SHELL.test(language), from: offset + line.length }
    else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && language === '') {
      if (open.shell) units.push({ from: open.from, to: offset })
      open = null
    }
  })
  const last = open as { readonly shell: boolean; readonly from: number } | null // a callback set it
  if (last?.shell === true) units.push({ from: Math.min(last.from, text.length), to: text.length })
  return units
}
