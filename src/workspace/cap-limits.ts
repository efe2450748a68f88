// The limits that a workspace's admins set, and which caps apply to a run.

import { ok, type Result } from '../lib/result.ts'
import type { Sections } from '../settings/settings.ts'
import type {
  BudgetMaximum,
  CapAmounts,
  Caps,
  LimitsChange,
  StoredLimits,
  WorkspaceLimits,
} from './cap-api.ts'
import type { KeyInfo } from './key-api.ts'
import { isUnattended } from './usage-days.ts'
import { addVersion, newestVersion } from './versions.ts'

const NO_LIMITS: WorkspaceLimits = {
  workspace: {},
  key: {},
  user: {},
  users: {},
  hook: {},
  hooks: {},
  thread: {},
  max_budget: {},
}

export const NEVER_LIMITED: StoredLimits = {
  version: 0,
  limits: NO_LIMITS,
  updated_at: null,
  updated_by: null,
}

function shown({ version, at, author, value }: ReturnType<typeof newestVersion>): StoredLimits {
  // The cast is safe: addVersion() wrote it from patches that match LimitsPatchSchema.
  const limits = { ...NO_LIMITS, ...value } as WorkspaceLimits
  return { version, limits, updated_at: at, updated_by: author }
}

export function storedLimits(sql: SqlStorage): StoredLimits {
  return shown(newestVersion(sql, 'limits'))
}

/** See CapApi.changeLimits. Must be called inside `transactionSync`. */
export function changeLimits(sql: SqlStorage, change: LimitsChange, at: string): Result<StoredLimits> {
  const newest = addVersion(sql, 'limits', change, at)
  return newest.ok ? ok(shown(newest.value)) : newest
}

/** Removes a deleted user's own caps. In the history, the empty name, which no user can have, takes the place of the user. */
export function removeUserCaps(sql: SqlStorage, user: string): void {
  const without = (stored: string, instead: object): string => {
    // The cast is safe: addVersion() wrote it.
    const { users = {}, ...others } = JSON.parse(stored) as Sections
    if (!Object.hasOwn(users, user)) return stored
    const { [user]: _, ...left } = users
    return JSON.stringify({ ...others, users: { ...left, ...instead } })
  }
  type Row = { version: number; change: string; value: string }
  for (const { version, change, value } of sql
    .exec<Row>('SELECT version, change, value FROM limits')
    .toArray())
    sql.exec(
      'UPDATE limits SET change = ?, value = ? WHERE version = ?',
      without(change, { '': null }),
      without(value, {}),
      version,
    )
}

/** A cap that applies: whose it is, in which window, and what may be spent. */
export interface ScopedCap {
  /** The name of its sums: `workspace`, `user:` with a name, or `key:` with an ID; hooks and schedules have such an ID. */
  readonly scope: string
  readonly window: 'day' | 'month'
  readonly cap: CapAmounts
}

/** The names of all sums to which a run of this key and user adds. */
export function scopesOf(key: string | null, user: string | null): readonly string[] {
  return [
    'workspace',
    ...(key === null ? [] : [isUnattended(key) ? key : `key:${key}`]),
    ...(user === null ? [] : [`user:${user}`]),
  ]
}

/** A condition for the rows that count in a scope, by their columns `key` and `user`, and the value of its parameter ?3. */
export function rowsIn(scope: string): readonly [condition: string, value: string] {
  if (scope === 'workspace') return ['?3 IS NOT NULL', '']
  if (scope.startsWith('user:')) return ['user = ?3', scope.slice('user:'.length)]
  return ['key = ?3', scope.startsWith('key:') ? scope.slice('key:'.length) : scope]
}

function own(named: Readonly<Record<string, Caps>>, name: string): Caps | undefined {
  return Object.hasOwn(named, name) ? named[name] : undefined
}

function capsOf(limits: WorkspaceLimits, scope: string, keyCaps: Caps | null): Caps {
  const id = scope.slice(scope.indexOf(':') + 1)
  if (scope === 'workspace') return limits.workspace
  if (scope.startsWith('key:')) return keyCaps ?? limits.key
  if (scope.startsWith('user:')) return own(limits.users, id) ?? limits.user
  return own(limits.hooks, id) ?? limits.hook
}

/** The caps that apply to runs of a key and user, unless these are null. `keyCaps` are the key's own. */
export function scopedCaps(
  limits: WorkspaceLimits,
  key: string | null,
  user: string | null,
  keyCaps: Caps | null,
): readonly ScopedCap[] {
  return scopesOf(key, user).flatMap((scope) => {
    const caps = capsOf(limits, scope, keyCaps)
    return (['day', 'month'] as const).flatMap((window) => {
      const cap = caps[window]
      return cap && Object.keys(cap).length > 0 ? [{ scope, window, cap }] : []
    })
  })
}

/** The most that one run of a key may ask for: see VerifiedKey. */
export function maxBudgetOf(
  { limits }: StoredLimits,
  { role, max_budget }: Pick<KeyInfo, 'role' | 'max_budget'>,
): BudgetMaximum | null {
  return max_budget ?? (role === 'metrics' ? null : (limits.max_budget[role] ?? null))
}
