// Asks /healthz every 50 ms until it is told that it is over, then tells how long each look took, in milliseconds. One
// that was not answered counts as the whole time it was waited for. `node scripts/lab/soak/load/health.ts PORT`

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
