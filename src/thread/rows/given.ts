// What addresses stand in this thread: what people wrote, and what results brought. Read where a fetch is judged, never kept.

import type { Links } from '../../agent/addresses.ts'
import { textOf } from '../../agent/message.ts'
import type { ToolNote } from '../../agent/tool.ts'
import type { Run } from './run.ts'
import { readStored } from './stored.ts'

/** The words of people, of all runs; a hook's payload is none of them. */
export function wordsGiven(sql: SqlStorage): readonly string[] {
  return sql
    .exec<{ input: string }>('SELECT input FROM asks')
    .toArray()
    .flatMap(({ input }) => readStored<Run['ask']>(input) ?? [])
    .flatMap(({ message, fenced }) => (fenced ? [] : [textOf({ role: 'user', content: message })]))
}

/** Links of pages and results of searches, of all runs. */
export function linksGiven(sql: SqlStorage): readonly Links[] {
  return sql
    .exec<{ notes: string }>(`SELECT notes FROM tool_calls WHERE instr(notes, '"links"') > 0`)
    .toArray()
    .flatMap(({ notes }) => readStored<ToolNote[]>(notes) ?? [])
    .flatMap((note) => (note.type === 'links' ? [note] : []))
}
