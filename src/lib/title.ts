// Creates a thread's title from the beginning of its first message. The text is cut between words and has no
// invisible characters.

import { visibleLine } from './visible.ts'

const TITLE_CODE_POINTS = 60

export function threadTitle(text: string): string {
  const line = visibleLine(text)
  if (line === '') return 'New conversation'
  const points = Array.from(line)
  if (points.length <= TITLE_CODE_POINTS) return line
  const head = points.slice(0, TITLE_CODE_POINTS - 1).join('')
  const space = head.lastIndexOf(' ')
  const titleText = space > TITLE_CODE_POINTS / 2 ? head.slice(0, space) : head
  return `${titleText.replace(/[.,;:\s]+$/, '')}…`
}
