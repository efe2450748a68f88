// Where an export begins: the name of an entry of the archive. Each name says which items its entry has, so an export that broke
// off continues with any entry that the archive shows. Pure.

import { BAD_CURSOR } from '../../lib/cursor.ts'
import { err, ok, type Result } from '../../lib/result.ts'

/** The lists of a thread, in the order in which they are written. */
export const LISTS = ['messages', 'requests', 'runs', 'approvals'] as const

type List = (typeof LISTS)[number]

export interface ThreadPosition {
  readonly part: 'info' | List | 'files'
  readonly thread: string
  /** The number at which a list continues, or the path of the first file; null for the beginning. */
  readonly from: string | null
}

export type Position = { readonly part: 'account' } | ThreadPosition

const NAME =
  /^threads\/(th_[a-z0-9]{24})\/(?:thread\.json|(messages|requests|runs|approvals)(?:-(\d{1,15}))?\.ndjson|files\/(.{0,2000}))$/su

export function entryName(position: Position): string {
  if (position.part === 'account') return 'account.json'
  const { part, thread, from } = position
  const folder = `threads/${thread}`
  if (part === 'info') return `${folder}/thread.json`
  if (part === 'files') return `${folder}/files/${from ?? ''}`
  return `${folder}/${part}${from === null ? '' : `-${from}`}.ndjson`
}

/** Failure: `bad_cursor`. */
export function positionOf(cursor: string | null): Result<Position> {
  if (cursor === null || cursor === 'account.json') return ok({ part: 'account' })
  const [, thread, list, number, path] = NAME.exec(cursor) ?? []
  if (thread === undefined) return err(UNKNOWN_ENTRY)
  if (path !== undefined) return ok({ part: 'files', thread, from: path })
  // The cast is safe: the pattern has only these names.
  if (list !== undefined) return ok({ part: list as List, thread, from: number ?? null })
  return ok({ part: 'info', thread, from: null })
}

const UNKNOWN_ENTRY = {
  ...BAD_CURSOR,
  detail:
    'The cursor is not the name of an entry of an export, such as threads/th_…/thread.json. Use next_cursor of report.json, or the name of the last entry that you received.',
}
