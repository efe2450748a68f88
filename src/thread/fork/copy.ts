// Copies rows and objects of another thread page by page. The copies become visible only when the fork
// is committed.

import { prefixOf } from '../../files/store.ts'
import type { Requester } from '../../lib/semaphore-slot.ts'
import type { Caller } from '../../lib/caller.ts'
import { inParallel } from '../../lib/parallel.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { FORK_PARALLEL_COPIES_MAX } from './limits.ts'
import { createTable, isOnDemand } from '../rows/on-demand.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { ThreadPorts } from '../parts.ts'
import type { ForkCut, ForkInput, ForkPage, ForkCursor, ForkRow } from './api.ts'
import { COPIED_PARTS } from './copied-parts.ts'
import { withForkTimeout } from './fork-timeout.ts'

/** An object in the store: its key in the source thread, and its new key in the fork. */
interface ObjectCopy {
  readonly from: string
  readonly to: string
  readonly bytes: number
}

/**
 * Copies everything before the cut. `reserveSpace` is called for each page before its bytes are copied,
 * because files may have grown since the cut. Fails as the source thread and `reserveSpace` do. Rejects if
 * the platform fails, or if an object waited too long for its turn.
 */
export async function copyAll(
  ctx: DurableObjectState,
  ports: Pick<ThreadPorts, 'thread' | 'store' | 'copyInTurn' | 'now' | 'newId'>,
  caller: Caller,
  { from, threadId }: ForkInput,
  cut: ForkCut,
  reserveSpace: () => Promise<Result<null>>,
): Promise<Result<null>> {
  const { storage } = ctx
  const prefix = prefixOf(caller.workspace, threadId)
  const newKey = (): string => prefix + ports.newId('obj')
  for (let cursor: ForkCursor | null = { part: 0, after: null }; cursor !== null;) {
    const page: Result<ForkPage> = await withForkTimeout(
      ports.thread(caller.workspace, from).forkRows(caller, cut, cursor),
    )
    if (!page.ok) return err(page.error)
    const { parts, next }: ForkPage = page.value
    const copies = storage.transactionSync(() =>
      parts.flatMap(({ part, rows }) => writeRows(storage.sql, part, rows, newKey)),
    )
    storage.sql.exec(
      'UPDATE objects SET loose_at = ? WHERE key IS NOT NULL AND loose_at IS NULL',
      ports.now(),
    )
    // The keys are on disk before any bytes are written, so that the bytes can always be found and deleted.
    await storage.sync()
    await checkpoint('fork.page', ctx)
    const reserved = await reserveSpace()
    if (!reserved.ok) return reserved
    await copyObjects(ports, { key: `${caller.workspace}/${caller.keyId}`, thread: threadId }, copies)
    cursor = next
  }
  return ok(null)
}

/** Writes a page of rows, and returns the objects that must be copied in the store. */
function writeRows(
  sql: SqlStorage,
  part: number,
  rows: readonly ForkRow[],
  newKey: () => string,
): readonly ObjectCopy[] {
  const copies: ObjectCopy[] = []
  let firstColumn = 0
  for (const table of COPIED_PARTS[part]?.tables ?? []) {
    if (isOnDemand(table)) {
      if (rows.length === 0) continue
      createTable(sql, table)
    }
    const columns = sql.exec(`SELECT * FROM ${table} LIMIT 0`).columnNames
    const keyColumn = table === 'objects' ? columns.indexOf('key') : -1
    // OR IGNORE is needed because an object shown in a message may also belong to a file.
    const insert = `INSERT OR IGNORE INTO ${table} VALUES (${columns.map(() => '?').join(', ')}) RETURNING 1`
    for (const row of rows) {
      const values = row.slice(firstColumn, firstColumn + columns.length)
      const from = values[keyColumn]
      const to = typeof from === 'string' ? newKey() : null
      if (to !== null) values[keyColumn] = to
      const isNew = sql.exec(insert, ...values).toArray().length > 0
      if (isNew && typeof from === 'string' && to !== null)
        copies.push({ from, to, bytes: Number(values[columns.indexOf('bytes')]) })
    }
    firstColumn += columns.length
  }
  return copies
}

/**
 * Copies the bytes of objects. If the source has lost the bytes of an object, the copy lacks them, too.
 */
function copyObjects(
  { store, copyInTurn }: Pick<ThreadPorts, 'store' | 'copyInTurn'>,
  requester: Requester,
  copies: readonly ObjectCopy[],
): Promise<void> {
  return inParallel(copies, FORK_PARALLEL_COPIES_MAX, ({ from, to, bytes }) =>
    copyInTurn(requester, bytes, () => withForkTimeout(store.copy(from, to))),
  )
}
