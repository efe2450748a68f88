// The input and output of a call as text, and a limit on how much of it is shown. Pure.

import { STEP_CHARS_MAX, STEP_LINES_MAX } from './limits.ts'
import { counted } from '../../lib/counted.ts'
import { stringIn } from '../lib/fields.ts'

/** The input of a call as text, or '' if there is none. */
export function inputText(name: string, input: unknown): string {
  if (input === null || input === undefined) return ''
  const command = name === 'bash' ? stringIn(input, 'command') : null
  return command ?? jsonText(input, 2)
}

/** A value as JSON. A model may nest it more deeply than JSON can be written. */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent) ?? ''
  } catch {
    return 'This value is nested too deeply to be shown.'
  }
}

/** The beginning of a text, with a note of how much is not shown, or null if all of it is. */
export function excerptOf(text: string): { readonly excerpt: string; readonly note: string | null } {
  const lines = text.split('\n')
  const firstLines = lines.slice(0, STEP_LINES_MAX).join('\n')
  const codePoints = Array.from(firstLines)
  if (codePoints.length > STEP_CHARS_MAX) {
    const hiddenCount = Array.from(text).length - STEP_CHARS_MAX
    return {
      excerpt: codePoints.slice(0, STEP_CHARS_MAX).join(''),
      note: `${counted(hiddenCount, 'more character is', 'more characters are')} not shown.`,
    }
  }
  const hiddenCount = lines.length - STEP_LINES_MAX
  if (hiddenCount <= 0) return { excerpt: text, note: null }
  return { excerpt: firstLines, note: `${counted(hiddenCount, 'more line is', 'more lines are')} not shown.` }
}
