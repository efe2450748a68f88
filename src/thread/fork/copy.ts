// Rows and objects of another thread, written here page by page. Nobody sees them before the thread is there.

import { prefixOf } from '../../files/store.ts'
import type { Holder } from '../../lib/weighted-semaphore.ts'
import type { Caller } from '../../lib/caller.ts'
import { inParallel } from '../../lib/parallel.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { FORK_COPIES } from './limits.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { ThreadPorts } from '../parts.ts'
import type { ForkCut, ForkInput, ForkPage, ForkCursor, ForkRow } from './api.ts'
import { COPIED } from './copied.ts'
import { inTime } from './in-time.ts'

/** An object of the store under its key there, and under the one that it gets here. */
interface Copy {
  readonly from: string
  readonly to: string
  readonly bytes: number
}

/**
 * Rejects when the platform fails, or when an object waited too long for its turn. Failures: those of the other thread, and of
 * `takeRoom`, which is asked for what a page brought before its bytes are copied: files may have grown since.
 */
export async function copyAll(
  ctx: DurableObjectState,
  out: Pick<ThreadPorts, 'thread' | 'store' | 'copyInTurn' | 'now' | 'newId'>,
  caller: Caller,
  { from, threadId }: ForkInput,
  cut: ForkCut,
  takeRoom: () => Promise<Result<null>>,
): Promise<Result<null>> {
  const { storage } = ctx
  const prefix = prefixOf(caller.workspace, threadId)
  const newKey = (): string => prefix + out.newId('obj')
  for (let place: ForkCursor | null = { part: 0, after: null }; place !== null;) {
    const page: Result<ForkPage> = await inTime(
      out.thread(caller.workspace, from).forkRows(caller, cut, place),
    )
    if (!page.ok) return err(page.error)
    const { parts, next }: ForkPage = page.value
    const copies = storage.transactionSync(() =>
      parts.flatMap(({ part, rows }) => writeRows(storage.sql, part, rows, newKey)),
    )
    storage.sql.exec('UPDATE objects SET loose_at = ? WHERE key IS NOT NULL AND loose_at IS NULL', out.now())
    // Their keys are on disk before their bytes are anywhere: so they are found, whatever happens.
    await storage.sync()
    await checkpoint('fork.page', ctx)
    const room = await takeRoom()
    if (!room.ok) return room
    await copyObjects(out, { key: `${caller.workspace}/${caller.keyId}`, thread: threadId }, copies)
    place = next
  }
  return ok(null)
}

/** Answers what of their bytes lies in the store. */
function writeRows(
  sql: SqlStorage,
  part: number,
  rows: readonly ForkRow[],
  newKey: () => string,
): readonly Copy[] {
  const copies: Copy[] = []
  let first = 0
  for (const table of COPIED[part]?.into ?? []) {
    const columns = sql.exec(`SELECT * FROM ${table} LIMIT 0`).columnNames
    const place = table === 'objects' ? columns.indexOf('key') : -1
    // An object that a message shows may be a file's, too.
    const insert = `INSERT OR IGNORE INTO ${table} VALUES (${columns.map(() => '?').join(', ')}) RETURNING 1`
    for (const row of rows) {
      const values = row.slice(first, first + columns.length)
      const from = values[place]
      const to = typeof from === 'string' ? newKey() : null
      if (to !== null) values[place] = to
      const isNew = sql.exec(insert, ...values).toArray().length > 0
      if (isNew && typeof from === 'string' && to !== null)
        copies.push({ from, to, bytes: Number(values[columns.indexOf('bytes')]) })
    }
    first += columns.length
  }
  return copies
}

/** Those whose bytes are lost are lost here, too. */
function copyObjects(
  { store, copyInTurn }: Pick<ThreadPorts, 'store' | 'copyInTurn'>,
  holder: Holder,
  copies: readonly Copy[],
): Promise<void> {
  return inParallel(copies, FORK_COPIES, ({ from, to, bytes }) =>
    copyInTurn(holder, bytes, () => inTime(store.copy(from, to))),
  )
}
