// Reads how long the steps of a stored run took, which the transcript does not say, when a person opens them.

import type { Client } from '../../../client/client.ts'
import type { Turn } from './turn.ts'

/** The runs whose times were read, or are being read. */
const requested = new WeakSet<Turn>()

/** Adds the times to the turn's steps. Does nothing if they are known, or if the run belongs to another thread. */
export async function readStepTimes(client: Client, turn: Turn): Promise<void> {
  const { runId, receipt, items } = turn.run.peek()
  const isMissing = items.some(
    (item) => item.kind === 'tool' && item.state !== 'running' && item.durationMs === null,
  )
  if (!receipt || !isMissing || requested.has(turn)) return
  requested.add(turn)
  const times = new Map<string, number>()
  const result = await client.follow(receipt.thread_id, runId, null, {
    onEvent: (event) => {
      if (event.type === 'tool.completed') times.set(event.tool_use_id, event.duration_ms)
    },
  })
  // Without them, the steps are shown without times.
  if (!result.ok) return void requested.delete(turn)
  const run = turn.run.peek()
  turn.run.value = {
    ...run,
    items: run.items.map((item) =>
      item.kind === 'tool' && item.durationMs === null
        ? { ...item, durationMs: times.get(item.toolUseId) ?? null }
        : item,
    ),
  }
}
