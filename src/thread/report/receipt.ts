// The receipt of a run: what it actually used, according to its rows.

import type { EventBody, Problem, Receipt, SkillUse, RunStopReason } from '../../agent/events.ts'
import type { ToolNote } from '../../agent/tool.ts'
import { rfc3339 } from '../../lib/clock.ts'
import type { Parts } from '../parts.ts'
import { readReply, type ReplyRow } from '../rows/replies.ts'
import { chargedOf } from '../rows/run-charges.ts'
import { ranMs, type Run } from '../rows/run.ts'

/** Title and closest HTTP status of each kind of failure. */
const FAILURES: Readonly<Partial<Record<RunStopReason, readonly [title: string, status: number]>>> = {
  step_limit: ['The run reached its step limit', 429],
  budget: ['The run reached its budget', 429],
  quota_exceeded: ['The run reached a cap', 429],
  model_error: ['The model could not answer', 502],
  context_overflow: ['The conversation is too long for the model', 413],
  recovery_limit: ['The run was interrupted too often', 503],
  internal: ['Internal error', 500],
}

type Thread = Parts<'ctx' | 'row' | 'loads' | 'journal' | 'approvals', 'now'>

export function runProblem(stop: RunStopReason, detail: string, requestId: string): Problem {
  const [title, status] = FAILURES[stop] ?? ['The run failed', 500]
  return { type: 'about:blank', title, status, code: stop, detail, request_id: requestId }
}

/** Returns one entry for each skill version, with the resources that were read from it. */
function skillUses(
  calledSkills: readonly Omit<SkillUse, 'resources'>[],
  notes: readonly ToolNote[],
): readonly SkillUse[] {
  const uses = new Map<string, SkillUse & { resources: string[] }>()
  for (const use of calledSkills) uses.set(use.digest, { ...use, resources: [] })
  for (const note of notes) {
    if (note.type !== 'skill' && note.type !== 'resource') continue
    const { category, digest } = note
    const name = note.type === 'skill' ? note.name : note.skill
    const via = note.type === 'skill' ? note.via : 'read'
    const use = uses.get(digest) ?? { name, category, digest, via, resources: [] }
    uses.set(digest, use)
    if (note.type === 'resource' && !use.resources.includes(note.path)) use.resources.push(note.path)
  }
  return [...uses.values()]
}

/** The skills that the run used: in its windows, called by the user, loaded or read. */
export function skillsOf(
  { row, loads, journal }: Pick<Thread, 'row' | 'loads' | 'journal'>,
  run: Run,
): readonly SkillUse[] {
  const attached = row.skillsOfRun(run.ord).map((skill) => ({ ...skill, via: 'window' as const }))
  return skillUses([...attached, ...loads.calledByUser(run.id)], journal.notes(run.id))
}

/**
 * If `short` is true, the receipt has no lists of skills and tools, and is built only from the run's own row.
 */
export function receiptOf(thread: Thread, run: Run, short = false): Receipt {
  const { ctx, row, journal, approvals, ports } = thread
  const { budget } = run.options
  const reply = run.options.replies ? readReply(ctx.storage.sql, run.id) : null
  const charged = chargedOf(run)
  const wallS = ranMs(run, ports.now()) / 1000
  return {
    run_id: run.id,
    thread_id: row.data.id,
    status: run.status,
    stop_reason: run.stopReason,
    error: run.problem,
    accepted_at: rfc3339(run.acceptedAt),
    started_at: run.startedAt === null ? null : rfc3339(run.startedAt),
    ended_at: run.endedAt === null ? null : rfc3339(run.endedAt),
    model: run.model,
    build: run.build,
    catalog_version: run.catalogVersion,
    skills: short ? [] : skillsOf(thread, run),
    tools: short ? [] : journal.countsByTool(run.id),
    approvals: short ? [] : approvals.receiptNotes(run.id),
    rating: run.rating,
    window: row.windowOfRun(run.ord),
    steps: run.steps,
    model_calls: run.modelCalls,
    recoveries: run.recoveries,
    interrupted_waits: run.interruptedWaits,
    usage: run.usage,
    charged,
    searches: { count: run.searches, usd: run.searchUsd },
    budget: {
      tokens: { used: charged.tokens, limit: budget.tokens },
      usd: { used: charged.usd, limit: budget.usd },
      steps: { used: run.steps, limit: budget.steps },
      tool_calls: { used: run.toolCalls, limit: budget.tool_calls },
      wall_s: { used: Math.round(wallS * 1000) / 1000, limit: budget.wall_s },
      recoveries: { used: run.recoveries, limit: budget.recoveries },
    },
    ...(run.nextRunId !== null && { next_run_id: run.nextRunId }),
    ...(reply && { reply: receiptOfReply(reply) }),
  }
}

function receiptOfReply({ plan, state, detail, at }: ReplyRow): NonNullable<Receipt['reply']> {
  return { tool: plan.template.tool, state, detail, at: rfc3339(at) }
}

const TERMINAL_TYPES = {
  completed: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.cancelled',
} as const

/** The terminal event of a run, or null if it has not ended. If `short` is true, its receipt is short. */
export function terminalBody(thread: Thread, run: Run, short = false): EventBody | null {
  const { status, stopReason, problem } = run
  if (stopReason === null || status === 'queued' || status === 'running' || status === 'waiting') return null
  return {
    type: TERMINAL_TYPES[status],
    stop_reason: stopReason,
    receipt: receiptOf(thread, run, short),
    ...(problem ? { error: problem } : {}),
  }
}
