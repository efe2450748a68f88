// The field `callback` of a chat request or a hook: where its runs report their ends.

import * as z from 'zod'
import { RUN_EVENT_TYPES } from '../../callbacks/api.ts'
import { URL_MAX_CHARS } from '../../limits/net.ts'
import { shortText } from './fields.ts'

export const CallbackRequest = z.strictObject({
  url: shortText(URL_MAX_CHARS).min(1),
  events: z.array(z.enum(RUN_EVENT_TYPES)).min(1).default(['run.completed', 'run.failed', 'run.cancelled']),
  /** Whether the events contain the run's answer. */
  answer: z.boolean().default(false),
})

export type CallbackRequest = z.infer<typeof CallbackRequest>
