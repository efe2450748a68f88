// Reads what a workspace stores about one owner of threads: a user, or a key without a user. Imported when it is
// needed.

import { rfc3339 } from '../lib/clock.ts'
import type { KeyInfo } from './key-api.ts'
import * as keys from './keys.ts'
import { mergeGroups, unstoredGroups, type Sums, type UsageGroup } from './usage-days.ts'
import { shownSums } from './usage-report.ts'
import type { OwnerAccount } from './user-api.ts'

/** The keys whose threads belong to this owner. */
const KEYS_OF_OWNER = "SELECT id FROM keys WHERE 'user:' || user = ?1 OR (user IS NULL AND 'key:' || id = ?1)"

/**
 * IDs of the owner's threads from this one on, in order. Includes threads that are not listed yet, because they have files but no
 * message.
 */
export function ownedThreads(sql: SqlStorage, owner: string, from: string, limit: number): readonly string[] {
  return sql
    .exec<{ id: string }>(
      `SELECT id FROM threads INDEXED BY threads_of_owner WHERE owner = ?1 AND id >= ?2
       UNION SELECT thread FROM file_room WHERE thread >= ?2 AND key IN (${KEYS_OF_OWNER})
         AND NOT EXISTS (SELECT 1 FROM threads WHERE id = thread)
       ORDER BY id LIMIT ?3`,
      owner,
      from,
      limit,
    )
    .toArray()
    .map(({ id }) => id)
}

/** The owner's keys, without secrets, and what its runs used, by UTC day. */
export function accountOf(sql: SqlStorage, owner: string, now: number): OwnerAccount {
  const at = rfc3339(now)
  const found = sql
    .exec<{ id: string }>(KEYS_OF_OWNER, owner)
    .toArray()
    .map(({ id }) => keys.readKey(sql, id, at))
  const user = owner.startsWith('user:') ? owner.slice('user:'.length) : null
  const dimension = user === null ? 'key' : 'user'
  const value = user ?? owner.slice('key:'.length)
  const stored = sql
    .exec<Sums & { readonly day: string }>(
      'SELECT * FROM usage_days WHERE dimension = ? AND value = ? ORDER BY day',
      dimension,
      value,
    )
    .toArray()
    .map(({ day, ...sums }): UsageGroup => ({ dimension, day, value, sums }))
  const recent = unstoredGroups(sql).filter((group) => group.dimension === dimension && group.value === value)
  return {
    user,
    keys: found.flatMap((key): KeyInfo[] => (key.ok ? [key.value] : [])),
    usage: mergeGroups([...stored, ...recent]).map(({ day, sums }) => ({ day, ...shownSums(sums) })),
  }
}
