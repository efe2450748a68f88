// How the page and the terminal show a plan. Pure.

import type { TodoItem } from '../agent/todos.ts'

export const PLAN_MARKS: Readonly<Record<TodoItem['status'], string>> = {
  completed: '✓',
  in_progress: '▸',
  pending: '○',
}

export const PLAN_STATUS_NAMES: Readonly<Record<TodoItem['status'], string>> = {
  completed: 'Done',
  in_progress: 'In progress',
  pending: 'To do',
}

/** Such as "2 of 5 done". */
export function planProgress(items: readonly TodoItem[]): string {
  return `${items.filter(({ status }) => status === 'completed').length} of ${items.length} done`
}
