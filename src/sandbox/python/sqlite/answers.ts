// Encodes failures as answers to Python, and decodes lists in requests.

import { MarshalWriter, type MarshalValue } from './marshal.ts'

/** A failed SQLite call: primary code, message, offset in the SQL, extended code. */
export class SqliteFailure extends Error {
  override readonly name = 'SqliteFailure'
  readonly facts: readonly MarshalValue[]
  constructor(facts: readonly MarshalValue[]) {
    super('SQLite failed')
    this.facts = facts
  }
}

/** The answer that reports a failure. */
export function errorBytes(facts: readonly MarshalValue[]): Uint8Array {
  const into = new MarshalWriter()
  into.value(['error', ...facts])
  return into.done()
}

export function marshalItems(value: MarshalValue | undefined): readonly MarshalValue[] {
  // The cast is safe: arrays of this type are lists of values.
  return Array.isArray(value) ? (value as readonly MarshalValue[]) : []
}
