// Validates what an admin decides about a schedule; stores nothing.

import { ok, type Result } from '../lib/result.ts'
import { codePoints } from '../lib/text.ts'
import { CALLED_SKILLS_MAX } from '../limits/skills.ts'
import { SCHEDULE_NAME_MAX_CHARS } from './limits.ts'
import type { ScheduleFields } from './api.ts'
import { callsOf, checkMessage } from './message.ts'
import { checkCron, checkTimeZone, readTime } from './times.ts'

interface FieldError {
  readonly path: string
  readonly message: string
}

/**
 * Returns the fields with `at` in UTC, or errors that name each field and its fix. `earliest` is the time (epoch
 * milliseconds) that `at` must not precede.
 */
export function checkSchedule<T extends ScheduleFields>(
  fields: T,
  earliest: number,
): Result<T, readonly FieldError[]> {
  const { name, cron, at, message } = fields
  const zone = checkTimeZone(fields.time_zone)
  const time = at === null || zone !== null ? null : readTime(at, fields.time_zone)
  const isNamed = name.trim() !== '' && name.isWellFormed() && codePoints(name) <= SCHEDULE_NAME_MAX_CHARS
  const problems: readonly (readonly [string, string | null])[] = [
    ['name', isNamed ? null : `must have 1 to ${SCHEDULE_NAME_MAX_CHARS} characters`],
    ['message', checkMessage(message)],
    ['time_zone', zone],
    [
      cron === null ? 'cron' : 'at',
      (cron === null) === (at === null)
        ? 'must be set if, and only if, the other of cron and at is not'
        : null,
    ],
    ['cron', cron === null || zone !== null ? null : checkCron(cron, fields.time_zone)],
    ['at', time === null || time.ok ? null : time.error],
    ['at', time?.ok && Date.parse(time.value) < earliest ? 'is in the past' : null],
    [
      'skills.load',
      callsOf(fields).length > CALLED_SKILLS_MAX
        ? `and the message call more than ${CALLED_SKILLS_MAX} skills`
        : null,
    ],
  ]
  const errors = problems.flatMap(([path, text]) => (text === null ? [] : [{ path, message: text }]))
  if (errors.length > 0) return { ok: false, error: errors }
  return ok({ ...fields, at: time?.ok ? time.value : null })
}
