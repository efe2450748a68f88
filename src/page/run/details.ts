// The input and output of a call as text, and a limit on how much of it is shown. Pure.

import { STEP_CHARS, STEP_LINES } from './limits.ts'
import { counted } from '../../lib/counted.ts'
import { field } from '../lib/fields.ts'

/** The input of a call as text, or '' if there is none. */
export function inputText(name: string, input: unknown): string {
  if (input === null || input === undefined) return ''
  const command = name === 'bash' ? field(input, 'command') : null
  return command ?? JSON.stringify(input, null, 2)
}

/** The beginning of a text, with a note of how much is not shown, or null if all of it is. */
export function excerptOf(text: string): { readonly shown: string; readonly note: string | null } {
  const lines = text.split('\n')
  const firstLines = lines.slice(0, STEP_LINES).join('\n')
  const points = Array.from(firstLines)
  if (points.length > STEP_CHARS) {
    const hiddenCount = Array.from(text).length - STEP_CHARS
    return {
      shown: points.slice(0, STEP_CHARS).join(''),
      note: `${counted(hiddenCount, 'more character is', 'more characters are')} not shown.`,
    }
  }
  const hiddenCount = lines.length - STEP_LINES
  if (hiddenCount <= 0) return { shown: text, note: null }
  return { shown: firstLines, note: `${counted(hiddenCount, 'more line is', 'more lines are')} not shown.` }
}
