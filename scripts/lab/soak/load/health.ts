// Requests /healthz every 50 ms until it receives a message, then reports the duration of each request in
// milliseconds. A request without an answer counts with its timeout. `node scripts/lab/soak/load/health.ts PORT`

import { setTimeout as sleep } from 'node:timers/promises'

import { probe } from '../../../start/probe.ts'

const POLL_MS = 50
const PROBE_MS = 30_000

const port = Number(process.argv[2])
const tookMs: number[] = []
let isOver = false
process.once('message', () => (isOver = true))
process.on('disconnect', () => process.exit(0))
while (!isOver) {
  const startedMs = performance.now()
  await probe(port, PROBE_MS)
  tookMs.push(performance.now() - startedMs)
  await sleep(POLL_MS)
}
process.send?.(tookMs, () => process.disconnect?.())
