// Turns the times of a schedule into deliveries, and defines how their runs start. Pure, except for new IDs.

import { fromUtf8, utf8 } from '../lib/bytes.ts'
import { newId } from '../lib/ids.ts'
import { callerOf, inputOf } from '../unattended/options.ts'
import type { Attempt } from '../unattended/start.ts'
import type { RecordedDelivery } from '../webhooks/deliveries.ts'
import { callsOf, messageAt } from './message.ts'
import { plannedAt, triggerKey, type StoredSchedule, type Trigger } from './rows.ts'

/** A delivery of the schedule to itself, which starts one run. */
export function occurrenceOf(
  { message, time_zone, threadId }: StoredSchedule,
  id: string,
  trigger: Trigger,
  build: string,
  now: number,
): RecordedDelivery {
  return {
    id,
    webhookId: triggerKey(trigger),
    // The ID serves as the digest, because no other content ever has it.
    digest: id,
    body: utf8(messageAt(message, 'planned' in trigger ? trigger.planned : now, time_zone)),
    threadId: threadId ?? newId('th'),
    runId: newId('run'),
    build,
    receivedAt: now,
    tries: 0,
  }
}

/** Returns the ID of a schedule as the starter of runs. */
export function scheduleStarter(scheduleId: string): string {
  return `schedule:${scheduleId}`
}

export function attemptOf(schedule: StoredSchedule, occurrence: RecordedDelivery): Attempt {
  const { id, webhookId, digest, body, threadId, runId, build } = occurrence
  const message = fromUtf8(body) ?? ''
  const planned = plannedAt(webhookId)
  const input = inputOf(schedule, {
    threadId,
    runId,
    build,
    message: [{ type: 'text', text: message }],
    // An admin wrote the message.
    fenced: false,
    metadata: {
      schedule_id: schedule.id,
      occurrence_id: id,
      ...(planned !== null && { planned_at: planned }),
    },
    onBusy: 'enqueue',
    idempotency: { key: `occurrence:${id}`, digest },
    requestId: id,
  })
  return {
    caller: callerOf({ id: scheduleStarter(schedule.id), workspace: schedule.workspace }, schedule),
    input: { ...input, calls: callsOf({ message, skills: schedule.skills }) },
    tries: occurrence.tries,
    promisedAt: occurrence.receivedAt,
    advice: 'Delete that thread, and the next run will create a new one.',
  }
}
