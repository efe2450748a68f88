// Input and output of a call as text, limited where it is shown. Pure.

import { STEP_CHARS, STEP_LINES } from './limits.ts'
import { counted } from '../../lib/counted.ts'
import { field } from '../lib/fields.ts'

/** '' for no input. */
export function inputText(name: string, input: unknown): string {
  if (input === null || input === undefined) return ''
  const command = name === 'bash' ? field(input, 'command') : null
  return command ?? JSON.stringify(input, null, 2)
}

/** The beginning, and a note of how much is left out; null if nothing is. */
export function cut(text: string): { readonly shown: string; readonly note: string | null } {
  const lines = text.split('\n')
  const first = lines.slice(0, STEP_LINES).join('\n')
  const points = Array.from(first)
  if (points.length > STEP_CHARS) {
    const rest = Array.from(text).length - STEP_CHARS
    return {
      shown: points.slice(0, STEP_CHARS).join(''),
      note: `${counted(rest, 'more character is', 'more characters are')} not shown.`,
    }
  }
  const rest = lines.length - STEP_LINES
  if (rest <= 0) return { shown: text, note: null }
  return { shown: first, note: `${counted(rest, 'more line is', 'more lines are')} not shown.` }
}
