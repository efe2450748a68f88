// Starts the SQLite of a Python job on the first request, and passes requests on.

import { OPERATIONS } from './operations.ts'
import { SqliteSession } from './session.ts'
import type { Process } from '../process.ts'

const sessions = new WeakMap<Process, SqliteSession>()
const COPY = '-copy '

/**
 * `text` contains the addresses and lengths of a request and of the bytearray for its answer, or `-copy` and the
 * address of a larger bytearray. Resolves to the length of the answer.
 */
export function sqliteRequest(process: Process, text: string): number | Promise<number> {
  const session = sessions.get(process)
  if (text.startsWith(COPY)) return session?.copy(Number(text.slice(COPY.length))) ?? 0
  const [address = 0, length = 0, buffer = 0, capacity = 0] = text.trim().split(' ').map(Number)
  if (session) return session.request(address, length, buffer, capacity)
  return process.loadSqlite().then((modules) => {
    const fresh = new SqliteSession(process, modules, OPERATIONS)
    sessions.set(process, fresh)
    return fresh.request(address, length, buffer, capacity)
  })
}
