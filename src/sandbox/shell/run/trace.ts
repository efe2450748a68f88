// `set -x`: prints commands before they run.

import { expandText } from '../expand/words.ts'
import { quoteTrace } from '../expand/quoting.ts'
import { textOf } from '../state/assign.ts'
import { writeText } from '../state/descriptors.ts'
import type { Shell } from '../state/shell.ts'
import { Parser } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { parseHereText } from '../syntax/words.ts'

/** Prints a line if `set -x` is on. */
export async function trace(shell: Shell, text: string): Promise<void> {
  if (!shell.options.has('xtrace')) return
  const prompt = textOf(shell, 'PS4') ?? '+ '
  shell.options.set('xtrace', false)
  const parser = new Parser(new Source('', shell.line), false)
  const expanded = /[$`]/.test(prompt)
    ? await expandText(shell, parseHereText(parser, prompt, shell.line))
    : prompt
  shell.options.set('xtrace', true)
  const [first = ''] = expanded
  await writeText(shell.descriptors, 2, `${first.repeat(shell.traceLevel - 1)}${expanded}${text}\n`)
}

export async function traceWords(shell: Shell, words: readonly string[]): Promise<void> {
  if (shell.options.has('xtrace')) await trace(shell, words.map(quoteTrace).join(' '))
}
