// Requests /healthz every 50 ms until it receives a message, then reports the duration of each request in
// milliseconds. A request without an answer counts with its timeout. `node scripts/lab/soak/load/health.ts PORT`

import { setTimeout as sleep } from 'node:timers/promises'

import { probe } from '../../../start/probe.ts'

const POLL_MS = 50
const PROBE_MS = 30_000

const port = Number(process.argv[2])
const tookMs: number[] = []
let over = false
process.once('message', () => (over = true))
process.on('disconnect', () => process.exit(0))
while (!over) {
  const began = performance.now()
  await probe(port, PROBE_MS)
  tookMs.push(performance.now() - began)
  await sleep(POLL_MS)
}
process.send?.(tookMs, () => process.disconnect?.())
