// The users whose data is being deleted, and their keys, which may start nothing meanwhile. Read once, because every run asks.

import { fail, type Result } from '../lib/result.ts'

interface Names {
  readonly users: ReadonlySet<string>
  readonly keys: ReadonlySet<string>
}

export class UsersInDeletion {
  readonly #sql: () => SqlStorage | null
  #read: Names | null = null

  /** `sql` is null as long as the workspace has no tables. */
  constructor(sql: () => SqlStorage | null) {
    this.#sql = sql
  }

  get isEmpty(): boolean {
    return this.#all().users.size === 0
  }

  /** Must be called when a deletion begins or ends. */
  changed(): void {
    this.#read = null
  }

  /** Fails with `gone`. */
  checkKey(key: string): Result<null> | null {
    return this.#all().keys.has(key) ? IN_DELETION : null
  }

  checkUser(user: string | null): ReturnType<typeof fail> | null {
    return user !== null && this.#all().users.has(user) ? IN_DELETION : null
  }

  #all(): Names {
    if (this.#read) return this.#read
    const sql = this.#sql()
    const users = sql
      ? sql.exec<{ user: string }>('SELECT user FROM user_deletions WHERE finished_at IS NULL').toArray()
      : []
    const keys =
      sql && users.length > 0
        ? sql
            .exec<{ id: string }>(
              'SELECT id FROM keys WHERE user IN (SELECT user FROM user_deletions WHERE finished_at IS NULL)',
            )
            .toArray()
        : []
    const read = { users: new Set(users.map(({ user }) => user)), keys: new Set(keys.map(({ id }) => id)) }
    // Without tables nothing is known yet.
    if (sql) this.#read = read
    return read
  }
}

const IN_DELETION = fail(
  'gone',
  'All data of this user is being deleted, so nothing new can begin. An admin sees the progress with GET /admin/users/{user}/deletion.',
)
