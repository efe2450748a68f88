// All events of a thread, grouped by lifecycle. Shapes are the contract's.

import type { Code } from '../lib/result.ts'
import type { ShownRequest } from './approval.ts'
import type { Message, Usage } from './message.ts'
import type { Question } from './question.ts'

/** `waiting`: for a person; nothing is held open meanwhile. */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'
export type StopReason =
  | 'answered'
  | 'awaiting_input'
  | 'refused'
  | 'truncated'
  | 'loop_detected'
  | 'step_limit'
  | 'budget'
  | 'model_error'
  | 'context_overflow'
  | 'recovery_limit'
  | 'internal'
  | 'cancelled'
  | 'interrupted'

/** RFC 9457, as in the contract. */
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
  readonly via: 'tool' | 'read' | 'slash' | 'request'
  readonly resources: readonly string[]
}

/** The decision on an approval request. `by`: `user:…` or `key:…`, or `system` if it expired. */
export interface ApprovalNote {
  readonly tool_use_id: string
  readonly decision: 'approve' | 'deny' | 'expired'
  readonly by: string
  readonly at: string
  /** How long this approval covers the same call. */
  readonly remember?: 'run' | 'thread'
  /** Nobody was asked: this earlier approval covered the call, and `by` and `at` are its own. */
  readonly remembered?: { readonly run_id: string; readonly tool_use_id: string; readonly digest: string }
  /** JSON pointers of fields that may differ from the approved call. */
  readonly free?: readonly string[]
}

/** What a run was charged, answered or not. `estimated`: part of it is an upper bound, because the price is unknown. */
export interface Charged {
  readonly tokens: number
  readonly usd: number
  readonly estimated: boolean
}

/** A person's rating of a run's answer. `by`: `user:…` or `key:…`. */
export interface Rating {
  readonly value: 'up' | 'down'
  readonly note: string | null
  readonly by: string
  readonly at: string
}

/** What a run really used. */
export interface Receipt {
  readonly run_id: string
  readonly thread_id: string
  readonly status: RunStatus
  readonly stop_reason: StopReason | null
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
  readonly steps: number
  readonly model_calls: number
  /** Crashes that count against the run: it was doing something. */
  readonly recoveries: number
  /** Crashes while it only waited for the model: that call is charged what it may have used by then. */
  readonly interrupted_waits: number
  /** The usage that the API reported. */
  readonly usage: Usage
  readonly charged: Charged
  /** Charged searches of the search engine, and their US dollars, which `charged` includes. */
  readonly searches: { readonly count: number; readonly usd: number }
  readonly budget: Readonly<Record<string, { readonly used: number; readonly limit: number }>>
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
      readonly stop_reason: StopReason
      readonly receipt: Receipt
      readonly error?: Problem
    }
  | {
      readonly type: 'run.waiting'
      readonly reason: 'approval'
      readonly tool_use_ids: readonly string[]
      /** The latest time at which it resumes by itself. */
      readonly until: string | null
    }
  | { readonly type: 'run.resumed' }
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
      /** The reason, in one sentence. */
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
      /** Why it could not be tried. */
      readonly code?: Code
    }
  // approvals
  | {
      readonly type: 'approval.requested'
      readonly tool_use_id: string
      readonly name: string
      /** For display: invisible characters are marked. */
      readonly input: unknown
      /** The request that would be sent; null if nothing is sent. */
      readonly request: ShownRequest | null
      readonly reason: string
      /** JSON pointers of fields that may differ in later calls that a remembered approval covers. */
      readonly free: readonly string[]
      /** Of the request: an answer with this digest counts for no other request. */
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
      /** Requires the key, like every route. */
      readonly href: string
    }
  // the person
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
  // the rest
  | { readonly type: 'thread.titled'; readonly title: string }
  | { readonly type: 'loop.warning' | 'budget.warning'; readonly detail: string }
  | { readonly type: 'snapshot'; readonly messages: readonly Message[] }

/** An event as readers get it. `from` is left out when the frame covers only its own number. */
export type Event = EventBody & {
  readonly seq: number
  readonly from?: number
  readonly thread_id: string
  readonly run_id: string
  readonly at: string
}

const TERMINAL: ReadonlySet<string> = new Set(['run.completed', 'run.failed', 'run.cancelled'])

export function isTerminal(type: string): boolean {
  return TERMINAL.has(type)
}
