// Access tokens as rows, encrypted by the caller. If there is none, the first caller obtains one while the others wait for
// it, because servers may invalidate a token when they issue the next one.

import { rfc3339, type Clock } from '../lib/clock.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import type { SealedToken, TokenRequest } from '../secrets/tokens.ts'
import { TOKEN_FLIGHT_MS, TOKENS_MAX } from './limits.ts'

interface Flight {
  /** Epoch milliseconds after which its caller counts as lost. */
  readonly until: number
  readonly ended: Promise<'stored' | 'failed'>
  readonly end: (how: 'stored' | 'failed') => void
}

export class AccessTokens {
  readonly #now: Clock
  readonly #flights = new Map<string, Flight>()

  constructor(now: Clock) {
    this.#now = now
  }

  /** The valid token, or null if the caller must obtain one. */
  async ask(sql: SqlStorage, request: TokenRequest): Promise<Result<SealedToken | null>> {
    return 'put' in request ? this.#put(sql, request) : this.#take(sql, request)
  }

  async #take(
    sql: SqlStorage,
    { key, rejected }: Extract<TokenRequest, { rejected: string | null }>,
  ): Promise<Result<SealedToken | null>> {
    for (;;) {
      const [row] = sql
        .exec<Pick<SealedToken, keyof SealedToken>>(
          'SELECT sealed, digest, expires_at FROM tokens WHERE key = ? AND expires_at > ? AND digest IS NOT ?',
          key,
          this.#now(),
          rejected,
        )
        .toArray()
      if (row) return ok(row)
      const flight = this.#flights.get(key)
      if (!flight || flight.until <= this.#now()) {
        this.#begin(key)
        return ok(null)
      }
      const how = await withTimeout(flight.until - this.#now(), flight.ended).catch(() => 'lost')
      if (how === 'failed')
        return fail('server_unavailable', 'No access token could be obtained for this server.')
    }
  }

  #begin(key: string): void {
    const { promise, resolve } = Promise.withResolvers<'stored' | 'failed'>()
    this.#flights.set(key, { until: this.#now() + TOKEN_FLIGHT_MS, ended: promise, end: resolve })
  }

  #put(
    sql: SqlStorage,
    { key, put: token, secret }: Extract<TokenRequest, { put: SealedToken | null }>,
  ): Result<null> {
    const flight = this.#flights.get(key)
    if (token && flight) {
      // A token of a secret that was changed or deleted meanwhile is not kept.
      sql.exec(
        `INSERT OR REPLACE INTO tokens (key, secret, sealed, digest, expires_at)
         SELECT ?, name, ?, ?, ? FROM secrets WHERE name = ? AND updated_at <= ?`,
        key,
        token.sealed,
        token.digest,
        token.expires_at,
        secret,
        rfc3339(flight.until - TOKEN_FLIGHT_MS),
      )
      sql.exec(
        'DELETE FROM tokens WHERE key IN (SELECT key FROM tokens ORDER BY expires_at DESC LIMIT -1 OFFSET ?)',
        TOKENS_MAX,
      )
    }
    flight?.end(token ? 'stored' : 'failed')
    this.#flights.delete(key)
    return ok(null)
  }
}
