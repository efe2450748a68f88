// The lines that show a plan in the terminal. Pure.

import { planProgress, PLAN_MARKS } from '../../src/client/plan-text.ts'

import type { TodoItem } from '../../src/agent/todos.ts'

/** The whole plan, or only its progress if just the states of its items changed. */
export function todoLines(items: readonly TodoItem[], before: readonly TodoItem[] | null): readonly string[] {
  if (items.length === 0) return ['The plan was removed.']
  const head = `Plan: ${planProgress(items)}`
  const isSame = before?.length === items.length && items.every(({ text }, at) => before[at]?.text === text)
  const active = items.find(({ status }) => status === 'in_progress')
  if (isSame) return [active ? `${head} · ${PLAN_MARKS.in_progress} ${active.text}` : head]
  return [head, ...items.map(({ text, status }) => `${PLAN_MARKS[status]} ${text}`)]
}
