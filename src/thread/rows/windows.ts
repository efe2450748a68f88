// The windows of a thread. Requests to the model contain one window: a system prompt, tools, an opening message, and the
// messages after it. A thread begins with window 1; a later window replaces it for the model, never for readers.

import type { BegunWindow } from '../../agent/events.ts'
import type { Block } from '../../agent/message.ts'
import type { ToolRow } from '../../agent/tool.ts'
import { IS_SHOWN } from './message-row.ts'
import type { SkillVersion } from './skill-loads.ts'
import { readStored } from './stored-json.ts'
import { insertTools, readTools } from './tools.ts'

/** The window that requests are made from, without its system prompt and tools. */
export interface ThreadWindow {
  readonly number: number
  /** Number of the first message that its requests contain. */
  readonly first: number
  /** Messages up to this number are sent without the blocks that only the model of their time accepts. */
  readonly strippedTo: number
  /** The content of the opening message, or an empty list if the window has none. */
  readonly opening: readonly Block[]
  /** Skills that have their instructions in the opening. */
  readonly skills: readonly SkillVersion[]
  /** The summary in the opening; empty if there is none. */
  readonly summary: string
  /** Whether its opening is as short as possible. */
  readonly least: boolean
  /** Number of the run in which the window began; 0 for window 1 and in a fork. */
  readonly runOrd: number
  /** Number of the window that stores the tools. */
  readonly toolsOf: number
  /** The catalog from which the system prompt and the tools were made. */
  readonly catalogIndex: string
}

export const FIRST_WINDOW: ThreadWindow = {
  number: 1,
  first: 0,
  strippedTo: 0,
  opening: [],
  skills: [],
  summary: '',
  least: false,
  runOrd: 0,
  toolsOf: 1,
  catalogIndex: '',
}

/** What a window is made from. */
export interface WindowPrefix {
  readonly model: string
  /** Names of tools and groups as requested; null means all. */
  readonly chosenTools: readonly string[] | null
  readonly catalogVersion: number
  readonly system: string
  readonly tools: readonly ToolRow[]
}

type WindowRow = {
  readonly number: number
  readonly first: number
  readonly stripped_to: number
  readonly model: string
  readonly chosen_tools: string | null
  readonly catalog_version: number
  readonly catalog_index: string
  readonly tools_of: number
  readonly skills: string
  readonly least: number
  readonly run_ord: number
  readonly summary: string
  readonly system: string
  readonly opening: string | null
}

export type StoredWindow = WindowPrefix & { readonly window: ThreadWindow }

function windowOf(sql: SqlStorage, row: WindowRow): StoredWindow {
  return {
    model: row.model,
    chosenTools: row.chosen_tools === null ? null : readStored<string[]>(row.chosen_tools),
    catalogVersion: row.catalog_version,
    system: row.system,
    tools: readTools(sql, row.tools_of),
    window: {
      number: row.number,
      first: row.first,
      strippedTo: row.stripped_to,
      opening: row.opening === null ? [] : (readStored<Block[]>(row.opening) ?? []),
      skills: readStored<SkillVersion[]>(row.skills) ?? [],
      summary: row.summary,
      least: row.least === 1,
      runOrd: row.run_ord,
      toolsOf: row.tools_of,
      catalogIndex: row.catalog_index,
    },
  }
}

/** The newest window. */
export function readWindow(sql: SqlStorage): StoredWindow {
  return windowOf(sql, sql.exec<WindowRow>('SELECT * FROM windows ORDER BY number DESC LIMIT 1').one())
}

/** The window in which this message was sent first. */
export function windowAt(sql: SqlStorage, message: number): StoredWindow {
  const query = 'SELECT * FROM windows WHERE begins <= ? ORDER BY number DESC LIMIT 1'
  return windowOf(sql, sql.exec<WindowRow>(query, message).one())
}

/** The newest window that had begun when this run ended; `ord` is the run's number. */
export function windowOfRun(sql: SqlStorage, ord: number): number {
  const query = 'SELECT max(number) AS number FROM windows WHERE run_ord <= ?'
  return sql.exec<{ number: number }>(query, ord).one().number
}

/** The skills in the openings of windows that began in this run. */
export function skillsOfRun(sql: SqlStorage, ord: number): readonly SkillVersion[] {
  return sql
    .exec<{ skills: string }>(
      // A window that contains earlier messages has the opening of the window before it.
      'SELECT skills FROM windows WHERE run_ord = ? AND begins = first ORDER BY number',
      ord,
    )
    .toArray()
    .flatMap(({ skills }) => readStored<SkillVersion[]>(skills) ?? [])
}

/** The windows that this run began with a summary. */
export function summariesOfRun(sql: SqlStorage, ord: number): readonly BegunWindow[] {
  return sql
    .exec<{ window: number; message_id: string | null; summary: string }>(
      `SELECT number AS window, summary,
         (SELECT id FROM messages WHERE seq >= begins AND ${IS_SHOWN} ORDER BY seq LIMIT 1) AS message_id
       FROM windows WHERE run_ord = ? AND number > 1 AND begins = first ORDER BY number`,
      ord,
    )
    .toArray()
}

export interface NewWindow extends StoredWindow {
  /** Number of the first message that no earlier window has sent. */
  readonly begins: number
}

export function insertWindow(sql: SqlStorage, added: NewWindow): void {
  const { window, model, chosenTools, catalogVersion, system, tools, begins } = added
  sql.exec(
    `INSERT INTO windows (number, begins, first, stripped_to, run_ord, model, chosen_tools, catalog_version,
       catalog_index, tools_of, skills, least, summary, system, opening)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    window.number,
    begins,
    window.first,
    window.strippedTo,
    window.runOrd,
    model,
    chosenTools === null ? null : JSON.stringify(chosenTools),
    catalogVersion,
    window.catalogIndex,
    window.toolsOf,
    JSON.stringify(window.skills),
    window.least ? 1 : 0,
    window.summary,
    system,
    window.opening.length === 0 ? null : JSON.stringify(window.opening),
  )
  if (window.toolsOf === window.number) insertTools(sql, window.number, tools)
}

/** Replaces window 1 of a thread in which no run has begun. */
export function replaceFirstWindow(
  sql: SqlStorage,
  prefix: WindowPrefix & { readonly catalogIndex: string },
): void {
  sql.exec('DELETE FROM windows')
  sql.exec('DELETE FROM tools')
  insertFirstWindow(sql, prefix)
}

export function insertFirstWindow(
  sql: SqlStorage,
  prefix: WindowPrefix & { readonly catalogIndex: string },
): void {
  const window = { ...FIRST_WINDOW, catalogIndex: prefix.catalogIndex }
  insertWindow(sql, { ...prefix, window, begins: 0 })
}

/**
 * The catalog that the model knew before message number `cut`: that of the last run whose message it gets, otherwise
 * that of the window.
 */
export function seenCatalogBefore(
  sql: SqlStorage,
  cut = Number.MAX_SAFE_INTEGER,
): { readonly version: number; readonly index: string } {
  return sql
    .exec<{ version: number; index: string }>(
      `SELECT coalesce(run.catalog_version, win.catalog_version) AS version,
         coalesce(run.catalog_index, win.catalog_index) AS "index"
       FROM (SELECT begins, catalog_version, catalog_index FROM windows WHERE begins <= ?1
         ORDER BY number DESC LIMIT 1) AS win
       LEFT JOIN (SELECT id, catalog_version, catalog_index FROM runs UNION ALL SELECT * FROM inherited) AS run
         ON run.id = (SELECT run_id FROM messages WHERE role = 'user' AND content <> '[]' AND seq < ?1
           AND seq >= win.begins ORDER BY seq DESC LIMIT 1)`,
      cut,
    )
    .one()
}
