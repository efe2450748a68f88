// write_todos: keeps the plan of a thread, which people see next to the answer.

import * as z from 'zod'
import { TODO_STATUSES } from '../../agent/todos.ts'
import { redact } from '../../lib/redact.ts'
import { visibleLine } from '../../lib/visible.ts'
import { TODO_ITEMS_MAX, TODO_TEXT_MAX_CHARS } from './limits.ts'
import { builtin, errorResult, inputError } from '../record/builtin.ts'

export const WRITE_TODOS = builtin({
  name: 'write_todos',
  aliases: ['todowrite'],
  group: 'thread',
  label: {
    icon: 'tool',
    now: 'Updating the plan',
    past: 'Updated the plan',
    failed: 'Could not update the plan',
    many: 'updates',
  },
  always: true,
  includedIf: ({ plan }) => plan,
  description:
    'Replaces your plan for this conversation, which the user sees while you work. Write a plan before work of three or more steps; a shorter request needs none. Send all items in order each time, also the completed ones. Set one item to in_progress before you begin it and to completed as soon as it is done, not several at the end; never mark an item completed that failed or is only partly done. Remove items that are no longer needed. An empty list removes the plan.',
  input: z.strictObject({
    items: z
      .array(
        z.strictObject({
          text: z.string().min(1).max(TODO_TEXT_MAX_CHARS).describe('What is to be done, on one line.'),
          status: z.enum(TODO_STATUSES),
        }),
      )
      .max(TODO_ITEMS_MAX),
  }),
  effect: 'read',
  ownText: true,
  run: async (_context, { items }) => {
    // Fields that look like secrets are not shown to people.
    const lines = items.map(({ text, status }) => ({ text: redact(visibleLine(text)), status }))
    const blank = lines.findIndex(({ text }) => text === '')
    if (blank !== -1) return inputError(`The plan was not changed: item ${blank + 1} has no visible text.`)
    const active = lines.filter(({ status }) => status === 'in_progress').length
    if (active > 1)
      return errorResult(
        `The plan was not changed: ${active} items are in_progress, but only one may be. Set the others to pending and call again.`,
      )
    const open = lines.filter(({ status }) => status !== 'completed').length
    return {
      content: `The plan was changed. Items: ${lines.length}, not completed: ${open}.`,
      isError: false,
      notes: [{ type: 'todos', items: lines }],
    }
  },
})
