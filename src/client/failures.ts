// Reads API failures from responses and decides which are temporary. Sends nothing.

import type { Problem } from '../agent/events.ts'
import type { ClientFailure } from './types.ts'

/** True if a retry may help: no server responds, or it is starting, restarting or overloaded. */
export function isServerDown(failure: ClientFailure): boolean {
  return failure.kind === 'unreachable' || (failure.kind === 'problem' && failure.problem.status === 503)
}

/** Reads why the server refused a request. */
export async function readFailure(response: Response): Promise<ClientFailure> {
  const text = await response.text().catch(() => '')
  try {
    const problem: unknown = JSON.parse(text)
    if (typeof problem === 'object' && problem !== null && 'code' in problem)
      // The cast is safe: an object with a code follows the API contract.
      return { kind: 'problem', problem: problem as Problem, retryAfterMs: retryAfterMs(response) }
  } catch {
    // The response is not from Satchel. This is reported below.
  }
  const detail = `a response with status ${response.status} that is not from Satchel: ${text.slice(0, 200)}`
  // A gateway responds with 502, 503 or 504 if it cannot reach the server.
  return { kind: response.status >= 502 && response.status <= 504 ? 'unreachable' : 'broken', detail }
}

function retryAfterMs(response: Response): number | null {
  const seconds = response.headers.get('Retry-After') ?? ''
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : null
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}
