// `set -x`: prints commands before they run.

import { messagePrefix } from '../builtins/builtin.ts'
import { expandText } from '../expand/words.ts'
import { quoteForTrace } from '../syntax/quoting.ts'
import { variableText } from '../state/assign.ts'
import { writeText } from '../state/descriptors.ts'
import { CommandError } from '../state/flow.ts'
import type { Shell } from '../state/shell.ts'
import { Parser } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { parseHereDocumentText } from '../syntax/words.ts'

/** Prints a line if `set -x` is on. */
export async function trace(shell: Shell, text: string): Promise<void> {
  if (!shell.options.isOn('xtrace')) return
  const prompt = await expandedPrompt(shell, variableText(shell, 'PS4') ?? '+ ')
  const [first = ''] = prompt
  await writeText(shell.descriptors, 2, `${first.repeat(shell.traceDepth)}${prompt}${text}\n`)
}

export async function traceWords(shell: Shell, words: readonly string[]): Promise<void> {
  if (shell.options.isOn('xtrace')) await trace(shell, words.map(quoteForTrace).join(' '))
}

/** The expanded prompt. As in bash, a prompt that cannot be expanded is reported, printed as it is, and stops no command. */
async function expandedPrompt(shell: Shell, prompt: string): Promise<string> {
  if (!/[$`]/.test(prompt)) return prompt
  shell.options.turn('xtrace', false)
  try {
    const parser = new Parser(new Source('', shell.line), false)
    return await expandText(shell, parseHereDocumentText(parser, prompt, shell.line))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${error.message}\n`)
    return prompt
  } finally {
    shell.options.turn('xtrace', true)
  }
}
