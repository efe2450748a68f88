// The access token for an MCP server: the workspace's stored token, or a new one that this caller obtains and stores
// for all.

import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { obtainToken } from '../../mcp/token.ts'
import type { Clock } from '../../lib/clock.ts'
import type { GuardedStream } from '../../net/fetch.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import type { Token } from '../../secrets/tokens.ts'
import type { McpServer } from './server.ts'

interface TokenPorts {
  readonly stream: GuardedStream
  readonly secrets: SecretsPort
  readonly now: Clock
}

/** Null if the server needs no token. `rejected` is a token that the server no longer accepts. */
export async function tokenOf(
  { url, auth }: Pick<McpServer, 'url' | 'auth'>,
  { stream, secrets, now }: TokenPorts,
  rejected: string | null,
  signal: AbortSignal,
): Promise<Result<Token | null, string>> {
  if (auth === null) return ok(null)
  const key = await sha256Hex(canonicalJson([url, auth]))
  const stored = await secrets.tokens.take(key, rejected)
  if (!stored.ok) return err(stored.error.detail)
  if (stored.value) return ok(stored.value)
  const secretFor = async (host: string): Promise<Result<string, string>> => {
    // The secret is bound to a host, so metadata of the server cannot send it to another one.
    const values = await secrets.use([auth.secret], host)
    return values.ok ? ok(values.value.get(auth.secret) ?? '') : err(values.error.detail)
  }
  const client = { url, clientId: auth.client_id, scope: auth.scope, secretFor }
  const obtained = await obtainToken(stream, client, now, signal)
  await secrets.tokens.put(key, obtained.ok ? obtained.value : null, auth.secret)
  return obtained
}
