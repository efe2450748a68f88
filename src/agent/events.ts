// Every event of a thread, grouped by lifecycle. The API contract defines the shapes.

import type { Code } from '../lib/result.ts'
import type { ShownRequest } from './approval.ts'
import type { Message, Usage } from './message.ts'
import type { Question } from './question.ts'
import type { TodoItem } from './todos.ts'
import type { WaitDetails } from './wait.ts'

/** A `waiting` run waits for a person or a server and keeps no connection or execution open. */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'
export type RunStopReason =
  | 'answered'
  | 'awaiting_input'
  | 'refused'
  | 'truncated'
  | 'loop_detected'
  | 'compacted'
  | 'step_limit'
  | 'budget'
  | 'quota_exceeded'
  | 'model_error'
  | 'context_overflow'
  | 'recovery_limit'
  | 'internal'
  | 'cancelled'
  | 'interrupted'

/** Problem details (RFC 9457), with the contract's extensions. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly request_id: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
}

export interface SkillUse {
  readonly name: string
  readonly category: 'public' | 'custom'
  readonly digest: string
  /** `window`: the opening of a new window contains its instructions. */
  readonly via: 'tool' | 'read' | 'slash' | 'request' | 'window'
  readonly resources: readonly string[]
}

/** The decision on an approval request. `by` is `user:…`, `key:…`, or `system` if the request expired. */
export interface ApprovalNote {
  readonly tool_use_id: string
  readonly decision: 'approve' | 'deny' | 'expired'
  readonly by: string
  readonly at: string
  /** The scope in which this approval also covers later calls of the same kind. */
  readonly remember?: 'run' | 'thread'
  /**
   * The earlier approval that covered the call. Nobody was asked; `by` and `at` are copied from that
   * approval.
   */
  readonly remembered?: { readonly run_id: string; readonly tool_use_id: string; readonly digest: string }
  /** JSON Pointers of the fields in which a call may differ from the approved one. */
  readonly free?: readonly string[]
}

/** What a run was charged, with or without a response. If `estimated`, part of it is an upper bound because a price is unknown. */
export interface Charged {
  readonly tokens: number
  readonly usd: number
  readonly estimated: boolean
}

/** A person's rating of a run's answer. `by` is `user:…` or `key:…`. */
export interface Rating {
  readonly value: 'up' | 'down'
  readonly note: string | null
  readonly by: string
  readonly at: string
}

/** A window that continues a conversation after a summary. `message_id`: its first message; null if it has none yet. */
export interface BegunWindow {
  readonly window: number
  readonly message_id: string | null
  readonly summary: string
}

/** The record of what a run actually used. */
export interface Receipt {
  readonly run_id: string
  readonly thread_id: string
  readonly status: RunStatus
  readonly stop_reason: RunStopReason | null
  readonly error: Problem | null
  readonly accepted_at: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly model: string
  readonly build: string
  readonly catalog_version: number
  readonly skills: readonly SkillUse[]
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly errors: number }[]
  readonly approvals: readonly ApprovalNote[]
  readonly rating: Rating | null
  /** The number of the thread's newest window when the run ended. */
  readonly window: number
  readonly steps: number
  readonly model_calls: number
  /** Crashes while the run was working. They count against its limit. */
  readonly recoveries: number
  /**
   * Crashes while the run only waited for the model. The interrupted call is charged what it may have used by
   * then.
   */
  readonly interrupted_waits: number
  /** The usage that the model API reported. */
  readonly usage: Usage
  readonly charged: Charged
  /** The number of charged searches by the search engine, and their cost in US dollars, which `charged` includes. */
  readonly searches: { readonly count: number; readonly usd: number }
  readonly budget: Readonly<Record<string, { readonly used: number; readonly limit: number }>>
  /** Only in the list of runs: the windows that the run began with a summary, oldest first. */
  readonly windows?: readonly BegunWindow[]
  /** The run that answers the messages which were to steer this run and came too late. */
  readonly next_run_id?: string
  /** The reply where the run's question came from, if its hook has one. */
  readonly reply?: ReplyNote
}

interface ReplyNote {
  readonly tool: string
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown'
  /** Why it failed or is unknown. */
  readonly detail: string | null
  readonly at: string
}

export type EventBody =
  // run
  | { readonly type: 'run.accepted'; readonly status: 'queued' | 'running' }
  | {
      readonly type: 'run.started'
      readonly model: string
      readonly build: string
      readonly catalog_version: number
      readonly demo: boolean
    }
  | {
      readonly type: 'run.completed' | 'run.failed' | 'run.cancelled'
      readonly stop_reason: RunStopReason
      readonly receipt: Receipt
      readonly error?: Problem
    }
  | ({ readonly type: 'run.waiting' } & WaitDetails)
  | { readonly type: 'run.resumed' }
  /** A message that steers the run has joined it. */
  | { readonly type: 'run.steered'; readonly message: Message }
  // step
  | { readonly type: 'step.started'; readonly step: number }
  | { readonly type: 'step.restarted'; readonly step: number; readonly reason: 'model_fault' | 'crash' }
  | {
      readonly type: 'thinking.delta' | 'text.delta'
      readonly step: number
      readonly block: number
      readonly offset: number
      readonly text: string
    }
  | {
      readonly type: 'message.completed'
      readonly step: number
      readonly message: Message
      readonly model_stop: string
      readonly usage: Usage
    }
  | {
      readonly type: 'model.retry'
      readonly attempt: number
      readonly wait_ms: number
      readonly reason: string
      /** The reason as one sentence. */
      readonly detail: string
    }
  // tools
  | {
      readonly type: 'tool.started'
      readonly tool_use_id: string
      readonly name: string
      readonly input: unknown
    }
  | { readonly type: 'tool.progress'; readonly tool_use_id: string; readonly text: string }
  | {
      readonly type: 'tool.completed'
      readonly tool_use_id: string
      readonly name: string
      readonly is_error: boolean
      readonly preview: string
      readonly duration_ms: number
      /** Why the call could not be attempted. */
      readonly code?: Code
    }
  // approvals
  | {
      readonly type: 'approval.requested'
      readonly tool_use_id: string
      readonly name: string
      /** The input prepared for display: invisible characters are marked. */
      readonly input: unknown
      /** The request that would be sent, or null if the call sends nothing. */
      readonly request: ShownRequest | null
      readonly reason: string
      /** JSON Pointers of the fields that may differ in later calls if the approval is remembered. */
      readonly free: readonly string[]
      /** The digest of the request. A decision with this digest applies to no other request. */
      readonly digest: string
      readonly expires_at: string
    }
  | {
      readonly type: 'approval.decided'
      readonly tool_use_id: string
      readonly decision: ApprovalNote['decision']
      readonly by: string
    }
  // files
  | { readonly type: 'file.written'; readonly path: string; readonly bytes: number }
  | {
      readonly type: 'artifact.presented'
      readonly path: string
      readonly title: string
      readonly media_type: string
      /** The path of the download, which requires an API key like every other route. */
      readonly href: string
    }
  // plan
  | { readonly type: 'todo.updated'; readonly items: readonly TodoItem[] }
  // questions to the person
  | ({ readonly type: 'input.requested'; readonly id: string } & Question)
  // skills
  | {
      readonly type: 'skill.loaded'
      readonly name: string
      readonly category: 'public' | 'custom'
      readonly digest: string
      readonly via: string
    }
  | {
      readonly type: 'skills.changed'
      readonly from_version: number
      readonly to_version: number
      readonly added: readonly string[]
      readonly removed: readonly string[]
      readonly changed: readonly string[]
    }
  // windows
  | {
      readonly type: 'context.compacted'
      /** The number of the new window. */
      readonly window: number
      /** Estimated tokens of the next request in the old window and in the new one. */
      readonly before_tokens: number
      readonly after_tokens: number
      /** Who wrote the summary: the model in the old window, the model in a request of its own, or code. */
      readonly way: 'model' | 'cut' | 'code'
      readonly cost_usd: number
      readonly summary: string
    }
  | {
      readonly type: 'context.rebased'
      /** The number of the new window. */
      readonly window: number
      /** What differs from the window before it; `request` if neither does. */
      readonly reason: 'model' | 'tools' | 'model_and_tools' | 'request'
      readonly model: string
    }
  // other
  | { readonly type: 'thread.titled'; readonly title: string }
  | { readonly type: 'loop.warning' | 'budget.warning'; readonly detail: string }
  | { readonly type: 'snapshot'; readonly messages: readonly Message[] }

/** An event as readers receive it. `from` is the first number that the frame covers; it is omitted if that is `seq`. */
export type Event = EventBody & {
  readonly seq: number
  readonly from?: number
  readonly thread_id: string
  readonly run_id: string
  readonly at: string
}

const TERMINAL_EVENTS: ReadonlySet<string> = new Set(['run.completed', 'run.failed', 'run.cancelled'])

export function isTerminal(type: string): boolean {
  return TERMINAL_EVENTS.has(type)
}
