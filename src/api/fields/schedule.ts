// The schemas of requests that create or change a schedule. src/schedules/config.ts checks what their values mean.

import * as z from 'zod'
import {
  SCHEDULE_MESSAGE_MAX_CHARS,
  SCHEDULE_NAME_MAX_CHARS,
  SCHEDULE_RULE_MAX_CHARS,
} from '../../schedules/limits.ts'
import { patchOf, shortText } from './fields.ts'
import { runOptionFields } from './run-options.ts'

export const ScheduleBody = z.strictObject({
  name: shortText(SCHEDULE_NAME_MAX_CHARS),
  cron: shortText(SCHEDULE_RULE_MAX_CHARS).nullable().default(null),
  at: shortText(SCHEDULE_RULE_MAX_CHARS).nullable().default(null),
  time_zone: shortText(SCHEDULE_RULE_MAX_CHARS).default('UTC'),
  message: shortText(SCHEDULE_MESSAGE_MAX_CHARS),
  missed: z.enum(['skip', 'once']).default('once'),
  thread: z.enum(['each', 'one']).default('each'),
  ...runOptionFields,
})

export const SchedulePatch = patchOf(ScheduleBody)
