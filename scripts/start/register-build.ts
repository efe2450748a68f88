// Registers a build with a Worker, which serves it from then on. Retries while the Worker is too busy to respond.

import { Client } from '../../src/client/client.ts'
import { isTemporary, withRetries } from '../../src/client/retries.ts'
import { REGISTER_TIMEOUT_MS } from './limits.ts'
import { harmlessLine } from '../lib/terminal.ts'

import type { ClientFailure } from '../../src/client/types.ts'
import type { ServerReport, StartMessage } from './messages.ts'

/** The Worker did not accept the build and still serves the earlier one. */
class BuildRefusedError extends Error {
  /** True if the Worker was only busy or unavailable, so that nothing needs to be fixed. */
  readonly isTemporary: boolean

  constructor(failure: ClientFailure) {
    super(`The Worker did not accept the skills: ${describeFailure(failure)}`)
    this.isTemporary = isTemporary(failure) && !isBroken(failure)
  }
}

/** Whether the catalog is broken. That also causes a 503, but a permanent one. */
function isBroken(failure: ClientFailure): boolean {
  return failure.kind === 'problem' && failure.problem.code === 'catalog_broken'
}

function describeFailure(failure: ClientFailure): string {
  if (failure.kind !== 'problem') return harmlessLine(failure.detail)
  const { code, detail, errors = [] } = failure.problem
  return [`${code}: ${detail}`, ...errors.map(({ path, message }) => `  ${path}: ${message}`)]
    .map(harmlessLine)
    .join('\n')
}

/** Registers a build. Rejects with BuildRefusedError. `onAttempt` is called before each attempt. */
export async function registerBuild(
  { port, adminKey }: Pick<StartMessage, 'port' | 'adminKey'>,
  digest: string,
  onAttempt: () => void,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  const client = new Client({
    url: `http://127.0.0.1:${port}`,
    key: adminKey,
    fetch: async (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(REGISTER_TIMEOUT_MS) }),
    wait,
  })
  const answer = await withRetries(async () => {
    onAttempt()
    return client.json('PUT', '/admin/catalog/build', { digest })
  }, wait)
  if (!answer.ok) throw new BuildRefusedError(answer.error)
}

/**
 * The final message of a server process that ends with this error. `killedBy` describes how its workerd was killed; null
 * if it was not.
 */
export function lastReport(error: unknown, killedBy: string | null): ServerReport {
  if (killedBy !== null) return { type: 'broken-off', why: `workerd ended (${killedBy})` }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof BuildRefusedError && error.isTemporary) return { type: 'broken-off', why: message }
  return { type: 'failed', message }
}
