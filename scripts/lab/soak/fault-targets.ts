// The ways to kill the running server. Each leaves it dying or hung, and it must recover by itself.

import { setTimeout as sleep } from 'node:timers/promises'

import { end, type ProcessIdentity } from '../../lib/processes.ts'
import { probe } from '../../start/probe.ts'

import type { Satchel } from '../rig/satchel.ts'

const POLL_MS = 5
const WAIT_MS = 30_000
const PROBE_MS = 200

export type KillWay = 'workerd' | 'server' | 'tree' | 'double' | 'stop' | 'start'

/** Waits for a process that is not `before`, and returns it. */
async function waitForNext(server: Satchel, before: ProcessIdentity | null): Promise<ProcessIdentity | null> {
  for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(POLL_MS)) {
    const found = server.find('workerd')
    if (found && found.pid !== before?.pid) return found
  }
  return null
}

/** Waits for the first response, not for the report that the server is up. */
async function waitForResponse(server: Satchel): Promise<void> {
  for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(POLL_MS))
    if ((await probe(server.port, PROBE_MS)) !== null) return
}

/**
 * Kills the server in one way. `workerd`, `server`: kills that process. `tree`: kills all processes and starts again.
 * `double`: kills workerd, and its successor at the first response. `stop`: suspends workerd, so that it hangs.
 * `start`: kills workerd, and its successor before it responds. Returns false if there was nothing to kill.
 */
export async function killServer(server: Satchel, way: KillWay): Promise<boolean> {
  if (way === 'tree') {
    server.restart()
    return true
  }
  const faultTarget = server.find(way === 'server' ? 'server' : 'workerd')
  if (!faultTarget) return false
  if (way === 'stop') {
    process.kill(faultTarget.pid, 'SIGSTOP')
    return true
  }
  if (!end(faultTarget)) return false
  if (way === 'workerd' || way === 'server') return true
  const second = await waitForNext(server, faultTarget)
  if (way === 'double') await waitForResponse(server)
  if (second) end(second)
  return true
}
