// Messages to a busy thread that change what is running: one that steers waits to join the run, one that interrupts
// makes the run end.

import type { Caller } from '../../lib/caller.ts'
import { fail } from '../../lib/result.ts'
import { WATCHDOG_INTERVAL_MS } from '../../limits/runs.ts'
import type { StartInput } from '../api.ts'
import type { Parts } from '../parts.ts'
import { storeRequestKey } from '../rows/idempotency.ts'
import type { Run } from '../rows/run.ts'
import { requestOf } from './begin-run.ts'
import { STEERED_MAX_CHARS } from './limits.ts'

type Thread = Parts<'ctx' | 'runs' | 'steered' | 'alarm' | 'atomically', 'now'>

const OTHER_KEY =
  'The run in progress was started with another API key, and a message that steers it would have the tools, limits and budget of that key. Use that key, or send on_busy: "enqueue" or "interrupt".'

/** Why a message that steers cannot wait to join the run, or null. */
export function whyNotSteer(
  { steered, runs }: Pick<Thread, 'steered' | 'runs'>,
  caller: Caller,
  input: StartInput,
): ReturnType<typeof fail> | null {
  const target = targetOf({ runs })
  if (input.onBusy !== 'steer' || !target) return null
  if (target.options.key !== caller.keyId) return fail('thread_busy', OTHER_KEY)
  if (steered.pendingChars + JSON.stringify(input.message).length <= STEERED_MAX_CHARS) return null
  const detail = `The messages that wait to join this run are longer than ${STEERED_MAX_CHARS} characters. Try again when they have joined it.`
  return fail('thread_busy', detail, { retryAfterS: 5 })
}

/** The run in progress, or the next one if none is. */
function targetOf({ runs }: Pick<Thread, 'runs'>): Run | null {
  return runs.current() ?? runs.nextQueued()
}

/** Stores the message for the run that it steers, and returns that run. */
export function storeSteered(
  { ctx, runs, steered, alarm, atomically, ports }: Thread,
  caller: Caller,
  input: StartInput,
): Run {
  const target = targetOf({ runs })
  if (!target) throw new Error('A message can steer only a busy thread.')
  atomically(() => {
    const { build, requestId } = input
    steered.add(target.id, { ...requestOf(caller, input), build, requestId })
    storeRequestKey(ctx.storage.sql, caller, input, target.id, ports.now())
    if (target.status !== 'waiting') void alarm.setNoLaterThan(ports.now() + WATCHDOG_INTERVAL_MS)
  })
  return target
}

/** Asks the run in progress to end for a message that interrupts. Must be called in the block that accepts it. */
export function interruptFor(
  { runs, alarm, ports }: Pick<Thread, 'runs' | 'alarm' | 'ports'>,
  input: StartInput,
  runId: string,
): void {
  if (input.onBusy !== 'interrupt') return
  runs.interrupt(runId)
  void alarm.setNoLaterThan(ports.now() + WATCHDOG_INTERVAL_MS)
}
