// The options of a run that no person starts: its owner, skills, tools, model, budget and allowed calls. Shared by
// hooks and schedules. Pure.

import type { Callback } from '../callbacks/api.ts'
import type { AllowedCall, Caller } from '../lib/caller.ts'
import type { RunBudget, StartInput } from '../thread/api.ts'

/** What an admin decides once for all runs of a hook or schedule. */
export interface RunOptions {
  /** The owner of the threads that it creates; null if only admins may see them. */
  readonly user: string | null
  /** `allow`: the skills that its threads may see, or null for all. `load`: the skills that each message loads first. */
  readonly skills: { readonly allow: readonly string[] | null; readonly load: readonly string[] }
  /** The tools or groups of tools that its threads have, or null for all. */
  readonly tools: readonly string[] | null
  /** Null for the default model. */
  readonly model: string | null
  readonly budget: RunBudget
  /** Calls that its runs may make without an approval, because nobody is available to give one. */
  readonly allowed_calls: readonly AllowedCall[]
  /** Where its runs report their ends; null if nowhere. */
  readonly callback: Callback | null
}

/** Who starts the run. `id` starts with its kind, such as `hook:hk_…`, and counts as a key for limits and usage. */
export interface Starter {
  readonly id: string
  readonly workspace: string
}

/** One run whose IDs were chosen before its thread was asked. */
export interface PromisedRun extends Pick<
  StartInput,
  'threadId' | 'message' | 'fenced' | 'metadata' | 'build' | 'requestId'
> {
  readonly runId: string
  /** The same for every attempt to start this run, so that it starts once. */
  readonly idempotency: NonNullable<StartInput['idempotency']>
  /** What happens if the thread is busy: the run queues behind the others, or its start fails with `thread_busy`. */
  readonly onBusy: 'enqueue' | 'reject'
}

export function callerOf(
  { id, workspace }: Starter,
  { user, allowed_calls }: Pick<RunOptions, 'user' | 'allowed_calls'>,
): Caller {
  return {
    workspace,
    keyId: id,
    role: 'chat',
    user,
    ...(allowed_calls.length > 0 && { allowedCalls: allowed_calls }),
  }
}

/** The thread is created if it is missing. The message calls no skill by itself, because it may contain untrusted content. */
export function inputOf(
  { skills, tools, model, budget, callback }: RunOptions,
  run: PromisedRun,
): StartInput & { readonly runId: string } {
  return {
    ...run,
    create: true,
    context: {},
    allowSkills: skills.allow,
    tools,
    calls: skills.load.map((name, index) => ({ name, via: 'request', path: `skills.load[${index}]` })),
    model,
    effort: null,
    onDisconnect: 'continue',
    budget,
    ...(callback ? { callback } : {}),
    follow: false,
  }
}

/**
 * The options that a thread keeps from its first message on, as text. Runs with other options need another thread, so
 * this is a part of the name of a thread that several runs share; empty if everything is the default.
 */
export function fixedOptions({
  skills,
  tools,
  model,
}: Pick<RunOptions, 'skills' | 'tools' | 'model'>): string {
  const isDefault = skills.allow === null && tools === null && model === null
  const sorted = (names: readonly string[] | null): readonly string[] | null => names && [...names].sort()
  return isDefault ? '' : JSON.stringify([sorted(skills.allow), sorted(tools), model])
}
