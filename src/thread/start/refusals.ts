// Why a thread refuses a message, regardless of what it does at the moment.

import { keepsPlan } from '../../agent/todos.ts'
import type { Caller } from '../../lib/caller.ts'
import { jsonBytes } from '../../lib/json-bytes.ts'
import { fail } from '../../lib/result.ts'
import { METADATA_MAX_BYTES } from '../../limits/requests.ts'
import { keyDefaultModel } from '../../model/key-default.ts'
import type { StartInput } from '../api.ts'
import type { Parts } from '../parts.ts'
import { mayUse } from '../rows/thread-row.ts'

type FailedResult = ReturnType<typeof fail>

export function noThread({ threadId }: StartInput): FailedResult {
  return fail('not_found', `There is no thread ${threadId}.`)
}

export function isSameList(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return JSON.stringify(a ? [...a].sort() : null) === JSON.stringify(b ? [...b].sort() : null)
}

/** Why this key may not start a run with this model, or null. */
export function modelRefusal({ models }: Caller, model: string): FailedResult | null {
  if (models === undefined || models.includes(model)) return null
  return fail(
    'forbidden',
    `This key may not use the model ${model}. Its models are ${models.join(', ')}. Name one of them with model, or ask an admin to change the key.`,
  )
}

/** Why this thread refuses the message, regardless of whether it is busy. */
export function whyRefused(
  { row, ports }: Parts<'row', 'models'>,
  caller: Caller,
  input: StartInput,
): FailedResult | null {
  const { data } = row
  if (!mayUse(caller, data)) return noThread(input)
  // Nothing is frozen yet, so this message sets the prefix.
  if (row.hasNoPrefix && input.compact) return fail('invalid_request', 'This thread has no messages yet.')
  if (row.hasNoPrefix)
    return (
      metadataRefusal(data.metadata, input.metadata) ??
      modelRefusal(caller, input.model ?? keyDefaultModel(ports.models, caller))
    )
  const rebases = input.rebase === true
  if (!rebases && input.model !== null && input.model !== data.model)
    return fail(
      'prefix_frozen',
      `This thread was started with the model ${data.model}. Send rebase: true to continue it with ${input.model}, or start a new thread.`,
    )
  if (input.allowSkills !== null && !isSameList(input.allowSkills, data.allow))
    return fail(
      'prefix_frozen',
      'The skills that a thread may see are fixed when it begins. Start a new thread to use a different list.',
    )
  if (!rebases && input.tools !== null && !isSameList(input.tools, data.chosenTools))
    return fail(
      'prefix_frozen',
      'The tools of a thread are fixed when it begins. Send rebase: true to continue it with these tools, or start a new thread.',
    )
  if (input.plan !== undefined && input.plan !== keepsPlan(data))
    return fail(
      'prefix_frozen',
      'Whether a thread keeps a plan is fixed when it begins. Start a new thread to change it.',
    )
  // A thread never switches to another model by itself, for example from the demo model.
  const model = (rebases ? input.model : null) ?? data.model
  if (ports.models.resolve(model) !== null) return modelRefusal(caller, model)
  return fail(
    'prefix_frozen',
    `This thread was started with the model ${data.model}. ${ports.models.unavailableMessage(model)} Start a new thread by leaving out thread_id, or continue this one with another model (rebase: true).`,
  )
}

/** A message that begins a thread may add to the thread's metadata. Returns why it may not, or null. */
function metadataRefusal(before: StartInput['metadata'], added: StartInput['metadata']): FailedResult | null {
  const bytes = jsonBytes({ ...before, ...added })
  if (bytes <= METADATA_MAX_BYTES) return null
  return fail(
    'invalid_request',
    `A thread's metadata may be at most ${METADATA_MAX_BYTES} bytes long as JSON. With the existing entries it would be ${bytes}. Send less metadata.`,
    { errors: [{ path: 'metadata', message: "is too long together with the thread's existing metadata" }] },
  )
}
