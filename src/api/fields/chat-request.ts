// The schema of a chat request: the contract's fields, with limits.

import * as z from 'zod'
import {
  MESSAGE_MAX_BYTES,
  METADATA_MAX_BYTES,
  MODEL_NAME_MAX_CHARS,
  TOOL_NAME_MAX_CHARS,
} from '../../limits/requests.ts'
import { CALLED_SKILLS_MAX, SKILL_NAME_MAX_CHARS } from '../../limits/skills.ts'
import {
  ALLOWED_SKILLS_MAX,
  CONTEXT_ENTRY_MAX_CHARS,
  METADATA_VALUE_MAX_CHARS,
  REQUEST_SECRETS_MAX,
  TITLE_MAX_CHARS,
  TOOLS_NAMED_MAX,
} from './limits.ts'
import { SECRET_NAME, valueFault } from '../../secrets/name.ts'
import { jsonBytes } from '../../lib/json-bytes.ts'
import { SomeBudget } from './budget.ts'
import { CallbackRequest } from './callback.ts'
import { textRecord, shortText } from './fields.ts'

function isNotBlank(text: string): boolean {
  return text.trim() !== ''
}

// The model API refuses blank text, and a thread resends its messages with every request.
const Text = z.strictObject({
  type: z.literal('text'),
  text: z.string().refine(isNotBlank, 'must not be blank'),
})
const Image = z.strictObject({
  type: z.literal('image'),
  source: z.union([
    z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
      data: z.base64().min(1),
    }),
    z.strictObject({ type: z.literal('url'), url: z.url({ protocol: /^https$/ }) }),
  ]),
})

const Message = z
  .union([
    z.string().refine(isNotBlank, 'must not be blank'),
    z.array(z.discriminatedUnion('type', [Text, Image])).min(1),
  ])
  .refine((message) => jsonBytes(message) <= MESSAGE_MAX_BYTES, {
    message: `must have at most ${MESSAGE_MAX_BYTES} bytes`,
  })

/** The secrets for tools that declare these names. Errors never quote their values. */
export const Secrets = z
  .record(
    z.string().regex(SECRET_NAME, 'must begin with a letter and have at most 64 letters, digits, _ and -'),
    z.string().superRefine((value, context) => {
      const issue = valueFault(value)
      if (issue !== null) context.addIssue(issue)
    }),
  )
  .refine(
    (record) => Object.keys(record).length <= REQUEST_SECRETS_MAX,
    `must have at most ${REQUEST_SECRETS_MAX} secrets`,
  )

const Metadata = textRecord(METADATA_VALUE_MAX_CHARS).refine(
  (record) => jsonBytes(record) <= METADATA_MAX_BYTES,
  `must have at most ${METADATA_MAX_BYTES} bytes as JSON`,
)

export const ThreadId = z.string().regex(/^th_[a-z0-9]{24}$/, 'is not the id of a thread')

export const ChatRequest = z.strictObject({
  message: Message,
  thread_id: ThreadId.optional(),
  stream: z.boolean().optional(),
  skills: z
    .strictObject({
      allow: z.array(shortText(SKILL_NAME_MAX_CHARS).min(1)).max(ALLOWED_SKILLS_MAX).optional(),
      load: z.array(shortText(SKILL_NAME_MAX_CHARS).min(1)).max(CALLED_SKILLS_MAX).optional(),
    })
    .optional(),
  model: shortText(MODEL_NAME_MAX_CHARS).min(1).optional(),
  tools: z.array(shortText(TOOL_NAME_MAX_CHARS).min(1)).max(TOOLS_NAMED_MAX).optional(),
  rebase: z.boolean().optional(),
  effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
  plan: z.boolean().optional(),
  on_busy: z.enum(['reject', 'enqueue', 'interrupt', 'steer']).optional(),
  on_disconnect: z.enum(['continue', 'cancel']).optional(),
  budget: SomeBudget.optional(),
  context: textRecord(CONTEXT_ENTRY_MAX_CHARS).optional(),
  secrets: Secrets.optional(),
  metadata: Metadata.optional(),
  callback: CallbackRequest.optional(),
})

export type ChatRequest = z.infer<typeof ChatRequest>

export const ThreadPatch = z
  .strictObject({
    title: shortText(TITLE_MAX_CHARS).trim().min(1).optional(),
    metadata: Metadata.optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'must change title or metadata')
