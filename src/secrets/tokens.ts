// Access tokens that servers outside issued to a workspace. They are stored encrypted, and obtained by one caller at a time.

import { sha256Hex } from '../lib/bytes.ts'
import { ok, type Result } from '../lib/result.ts'
import type { Sealer } from './seal.ts'
import { NO_ENCRYPTION_KEY } from './stored.ts'

export interface Token {
  readonly value: string
  /** Epoch milliseconds after which it is not used any more. */
  readonly expiresAt: number
}

/** A token as a workspace stores it. `sealed` reveals nothing without the key. */
export interface SealedToken {
  readonly sealed: string
  /** The SHA-256 of the token, by which a rejected one is recognized. */
  readonly digest: string
  readonly expires_at: number
}

export interface TokenPort {
  /**
   * The stored token. Null if there is none: the caller must then obtain one, and call `put` whatever comes of that,
   * because others wait for it. `rejected` is a token that its server no longer accepts.
   */
  take(key: string, rejected: string | null): Promise<Result<Token | null>>
  /** Null if no token could be obtained. The token is forgotten when this stored secret is changed or deleted. */
  put(key: string, token: Token | null, secret: string): Promise<void>
}

/** What a token call asks of the Workspace object: the token under a key, or to store one or a failure. */
export type TokenRequest =
  | { readonly key: string; readonly rejected: string | null }
  | { readonly key: string; readonly put: SealedToken | null; readonly secret: string }

/** `ask` calls the Workspace object; `onToken` receives each token, so that it is masked. */
export function tokenPort(
  workspace: string,
  sealer: Sealer | null,
  ask: (request: TokenRequest) => Promise<Result<SealedToken | null>>,
  onToken: (value: string) => void,
): TokenPort {
  const context = (key: string): readonly string[] => ['mcp token', workspace, key]
  return {
    async take(key, rejected) {
      if (!sealer) return NO_ENCRYPTION_KEY
      const digest = rejected === null ? null : await sha256Hex(rejected)
      const stored = await ask({ key, rejected: digest })
      if (!stored.ok || stored.value === null) return stored.ok ? ok(null) : stored
      const { sealed, expires_at: expiresAt } = stored.value
      const opened = await sealer.open(sealed, context(key))
      // A token that cannot be opened, because the key was changed, is replaced.
      if (!opened.ok) {
        const replaced = await ask({ key, rejected: stored.value.digest })
        return replaced.ok ? ok(null) : replaced
      }
      onToken(opened.value)
      return ok({ value: opened.value, expiresAt })
    },
    async put(key, token, secret) {
      if (token) onToken(token.value)
      const put =
        token && sealer
          ? {
              sealed: await sealer.seal(token.value, context(key)),
              digest: await sha256Hex(token.value),
              expires_at: token.expiresAt,
            }
          : null
      await ask({ key, put, secret }).catch(() => null)
    },
  }
}
