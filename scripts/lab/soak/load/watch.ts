// Observes the server under load: the latency of /healthz, workerd's memory and restarts, and whether streams of other
// users stay complete.

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { readEvents } from '../../../../src/client/sse.ts'
import { meanwhile } from '../../rig/meanwhile.ts'

import type { Satchel } from '../../rig/satchel.ts'

const POLL_MS = 50
/** Timeout in ms. All runs of the witnesses should have ended long before. */
const WITNESS_TIMEOUT_MS = 240_000

export interface LoadObservations {
  /** The durations of /healthz requests, sorted. A request without a response counts with its timeout. */
  readonly healthMs: readonly number[]
  readonly peakMb: number
  readonly restarts: number
  /** Streams of other users that broke or did not end properly. */
  readonly broken: readonly string[]
}

/**
 * Requests /healthz from a separate process, independent of the load. Returns a function that stops it and returns the
 * durations.
 */
function startHealthWatch(port: number): () => Promise<readonly number[]> {
  const child = fork(fileURLToPath(new URL('./health.ts', import.meta.url)), [String(port)], {
    stdio: 'inherit',
  })
  return async () =>
    new Promise((resolve) => {
      child.once('message', (tookMs: readonly number[]) => resolve(tookMs))
      child.send('over')
    })
}

/** Reads a slow answer to its end over one connection. Returns the fault, or null. */
async function readSlowAnswer(url: string, key: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/v1/chat`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: 'SLOW, please', stream: true }),
      signal: AbortSignal.timeout(WITNESS_TIMEOUT_MS),
    })
    if (!response.ok || !response.body) return `answered ${response.status}`
    let last = 'nothing'
    for await (const event of readEvents(response.body)) last = event.type
    return last === 'run.completed' ? null : `ended with ${last}`
  } catch (error) {
    return `broke: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Runs `work` under observation. `witnesses` are keys of other users, who each read a slow answer meanwhile. */
export async function observeLoad<T>(
  server: Satchel,
  witnesses: readonly string[],
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly seen: LoadObservations }> {
  const health = startHealthWatch(server.port)
  const restartsOf = (): number => server.output().split('starting it again').length
  const before = restartsOf()
  const memory = (): number => server.residentMb()
  const reading = witnesses.map(async (key) => readSlowAnswer(server.url, key))
  const working = work().then(async (value) => ({ value, ends: await Promise.all(reading) }))
  const { took, seen } = await meanwhile(working, memory, POLL_MS)
  const broken = took.ends.flatMap((wrong, at) => (wrong === null ? [] : [`reader ${at + 1} ${wrong}`]))
  const healthMs = (await health()).toSorted((a, b) => a - b)
  const peakMb = Math.max(memory(), ...seen)
  return { value: took.value, seen: { healthMs, peakMb, restarts: restartsOf() - before, broken } }
}
