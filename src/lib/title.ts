// Creates a thread's title: the beginning of its first message, cut between words, without invisible
// characters.

import { visibleLine } from './visible.ts'

const TITLE_CODE_POINTS = 60

export function threadTitle(text: string): string {
  const line = visibleLine(text)
  if (line === '') return 'New conversation'
  const points = Array.from(line)
  if (points.length <= TITLE_CODE_POINTS) return line
  const head = points.slice(0, TITLE_CODE_POINTS - 1).join('')
  const space = head.lastIndexOf(' ')
  const kept = space > TITLE_CODE_POINTS / 2 ? head.slice(0, space) : head
  return `${kept.replace(/[.,;:\s]+$/, '')}…`
}
