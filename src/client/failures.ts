// Reads API failures from responses, and says which are temporary. Sends nothing.

import type { Problem } from '../agent/events.ts'
import type { ClientFailure } from './types.ts'

/** Worth a retry: no server, or one that is starting, restarting or overloaded. */
export function isDown(failure: ClientFailure): boolean {
  return failure.kind === 'unreachable' || (failure.kind === 'problem' && failure.problem.status === 503)
}

export async function refusal(response: Response): Promise<ClientFailure> {
  const text = await response.text().catch(() => '')
  try {
    const problem: unknown = JSON.parse(text)
    if (typeof problem === 'object' && problem !== null && 'code' in problem)
      return { kind: 'problem', problem: problem as Problem, retryAfterMs: retryAfter(response) } // a code means that it follows the contract
  } catch {
    // Not from Satchel; reported below.
  }
  const detail = `a response ${response.status} that is not from Satchel: ${text.slice(0, 200)}`
  // A gateway that cannot reach the server.
  return { kind: response.status >= 502 && response.status <= 504 ? 'unreachable' : 'broken', detail }
}

function retryAfter(response: Response): number | null {
  const seconds = response.headers.get('Retry-After') ?? ''
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : null
}

export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}
