// The shape of a chat request: the contract's fields, bounded; what this release cannot do yet is refused by name.

import { z } from 'zod'
import { codePoints } from '../lib/text.ts'
import {
  MESSAGE_MAX_BYTES,
  METADATA_MAX_CHARS,
  METADATA_MAX_PAIRS,
  RUN_STEPS,
  RUN_STEPS_MAX,
  RUN_TOKENS,
  RUN_TOKENS_MAX,
  RUN_TOOL_CALLS,
  RUN_TOOL_CALLS_MAX,
  RUN_USD,
  RUN_USD_MAX,
  RUN_WALL_S,
  RUN_WALL_S_MAX,
} from '../limits.ts'

const Text = z.strictObject({ type: z.literal('text'), text: z.string().min(1) })
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
    z.string().refine((text) => text.trim() !== '', 'must say something'),
    z.array(z.discriminatedUnion('type', [Text, Image])).min(1),
  ])
  .refine((message) => new TextEncoder().encode(JSON.stringify(message)).length <= MESSAGE_MAX_BYTES, {
    message: `must have at most ${MESSAGE_MAX_BYTES} bytes`,
  })
  .refine((message) => JSON.stringify(message).isWellFormed(), 'must be well-formed Unicode')

const Pairs = z
  .record(
    z.string().min(1).max(64),
    z
      .string()
      .refine(
        (text) => codePoints(text) <= METADATA_MAX_CHARS,
        `must have at most ${METADATA_MAX_CHARS} characters`,
      ),
  )
  .refine(
    (pairs) => Object.keys(pairs).length <= METADATA_MAX_PAIRS,
    `must have at most ${METADATA_MAX_PAIRS} pairs`,
  )

const Context = z
  .record(z.string().min(1).max(64), z.string().max(16_384))
  .refine(
    (pairs) => Object.keys(pairs).length <= METADATA_MAX_PAIRS,
    `must have at most ${METADATA_MAX_PAIRS} entries`,
  )

const LATER = 'is not available in this release; leave it out'

/** A field of the contract that this release does not serve: absent, or at the value that asks for nothing. */
function later<T extends z.ZodType>(inert: T): z.ZodOptional<T> {
  return inert.optional()
}

const nothing = z.custom<never>(() => false, LATER)

export const ThreadId = z.string().regex(/^th_[a-z0-9]{24}$/, 'is not the id of a thread')

export const ChatRequest = z.strictObject({
  message: Message,
  thread_id: ThreadId.optional(),
  stream: z.boolean().optional(),
  skills: z
    .strictObject({ allow: z.array(z.string().min(1).max(64)).max(1_000).optional(), load: later(nothing) })
    .optional(),
  model: z.string().min(1).max(128).optional(),
  tools: later(nothing),
  rebase: later(z.literal(false, LATER)),
  effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
  plan: later(z.literal(false, LATER)),
  on_busy: z.enum(['reject', 'enqueue'], 'takes "reject" or "enqueue" in this release').optional(),
  on_disconnect: z.enum(['continue', 'cancel']).optional(),
  budget: z
    .strictObject({
      tokens: z.int().min(1).max(RUN_TOKENS_MAX).default(RUN_TOKENS),
      usd: z.number().positive().max(RUN_USD_MAX).default(RUN_USD),
      steps: z.int().min(1).max(RUN_STEPS_MAX).default(RUN_STEPS),
      tool_calls: z.int().min(0).max(RUN_TOOL_CALLS_MAX).default(RUN_TOOL_CALLS),
      wall_s: z.number().positive().max(RUN_WALL_S_MAX).default(RUN_WALL_S),
    })
    .prefault({}),
  context: Context.optional(),
  secrets: later(nothing),
  metadata: Pairs.optional(),
  callback: later(nothing),
})

export type ChatRequest = z.infer<typeof ChatRequest>

export const ThreadPatch = z
  .strictObject({
    title: z.string().trim().min(1).max(200).optional(),
    metadata: Pairs.optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'must change title or metadata')
