// Reads the addresses in this thread: those that people wrote, and those that tool results contained. They
// are read each time a fetch is judged, and never cached.

import type { KnownAddresses } from '../../agent/addresses.ts'
import { textOf } from '../../agent/message.ts'
import type { ToolNote } from '../../agent/tool.ts'
import type { Run } from './run.ts'
import { STEERED_SQL } from './message-row.ts'
import { readStored } from './stored-json.ts'

/** People's messages that the model got, oldest first, without the payloads of hooks. */
export function userTexts(sql: SqlStorage): KnownAddresses['userTexts'] {
  return sql
    .exec<{ input: string; after: number }>(
      `SELECT asks.input AS input, min(messages.seq) AS after FROM messages JOIN asks ON asks.id = messages.run_id
       GROUP BY messages.run_id
       UNION ALL SELECT asks.input, messages.seq FROM messages JOIN asks ON asks.id = messages.id
       WHERE kind IN (${STEERED_SQL}) ORDER BY after`,
    )
    .toArray()
    .flatMap(({ input, after }) => {
      const ask = readStored<Run['ask']>(input)
      return !ask || ask.fenced ? [] : [{ after, text: textOf({ role: 'user', content: ask.message }) }]
    })
}

/** The addresses that one result of a message's calls contained. */
export interface ReturnedLinks {
  readonly message: number
  readonly links: readonly string[]
  /** The address of the page that contained the links; null if a search found them. */
  readonly page: string | null
}

/** Links of pages and results of searches, from all runs, oldest first. */
export function returnedLinks(sql: SqlStorage): readonly ReturnedLinks[] {
  return sql
    .exec<{ message: number; notes: string }>(
      `SELECT message, notes FROM tool_calls WHERE instr(notes, '"links"') > 0 ORDER BY message`,
    )
    .toArray()
    .flatMap(({ message, notes }) =>
      (readStored<ToolNote[]>(notes) ?? []).flatMap((note) =>
        note.type === 'links' ? [{ message, links: note.links, page: note.page }] : [],
      ),
    )
}

/** Calls of this tool that were made after this message, each as `<message>:<position>`. */
export function dispatchedCalls(sql: SqlStorage, tool: string, since: number): ReadonlySet<string> {
  const rows = sql.exec<{ message: number; ord: number }>(
    'SELECT message, ord FROM tool_calls WHERE message > ? AND name = ? AND made = 1',
    since,
    tool,
  )
  return new Set(rows.toArray().map(({ message, ord }) => `${message}:${ord}`))
}

/**
 * Sequence number of the second run's first message, or null if there is no second run. The model of that run
 * has read the first run.
 */
export function firstMessageOfSecondRun(sql: SqlStorage): number | null {
  const [, second] = sql
    .exec<{ first: number }>('SELECT min(seq) AS first FROM messages GROUP BY run_id ORDER BY first LIMIT 2')
    .toArray()
  return second?.first ?? null
}
