// Decodes the arguments of SQLite operations, and allocates their strings.

import { MarshalText, type MarshalValue } from './marshal.ts'
import type { SqliteSession } from './session.ts'

export const number = (value: MarshalValue | undefined): number => Number(value ?? 0n)

function cString(session: SqliteSession, value: MarshalValue | undefined): number {
  if (value === null || value === undefined) return 0
  return session.machine.allocate(
    value instanceof MarshalText ? value.bytes : new TextEncoder().encode(String(value)),
  )
}

/** Calls `use` with C strings, and frees them afterward. */
export async function withStrings<T>(
  session: SqliteSession,
  values: readonly (MarshalValue | undefined)[],
  use: (...at: readonly number[]) => T | Promise<T>,
): Promise<T> {
  const strings = values.map((value) => cString(session, value))
  try {
    return await use(...strings)
  } finally {
    for (const at of strings) session.machine.free(at)
  }
}

export function stringAt(session: SqliteSession, at: number): MarshalValue {
  const { bytes } = session.machine.memory
  return at === 0 ? null : new MarshalText(bytes.slice(at, bytes.indexOf(0, at)))
}
