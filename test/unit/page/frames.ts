// The events of a run, numbered as by its thread: a model fault in the middle, two tools, and an emoji that chunks may
// split.

import type { Event, EventBody, Receipt } from '../../../src/agent/events.ts'
import { NO_USAGE, type Block, type Message } from '../../../src/agent/message.ts'

export const RUN = 'run_1'
const AT = '2026-01-02T03:04:05.000Z'
const DIGEST = 'sha256:1f2e3d4c5b6a'
const PATH = '/mnt/skills/public/incident-report/references/template.md'

export const RECEIPT: Receipt = {
  run_id: RUN,
  thread_id: 'th_1',
  status: 'completed',
  stop_reason: 'answered',
  error: null,
  accepted_at: AT,
  started_at: AT,
  ended_at: AT,
  model: 'demo',
  build: 'sha256:00',
  catalog_version: 4,
  skills: [
    {
      name: 'incident-report',
      category: 'public',
      digest: DIGEST,
      via: 'tool',
      resources: ['references/template.md'],
    },
  ],
  tools: [{ name: 'load_skill', calls: 1, errors: 0 }],
  approvals: [],
  rating: null,
  window: 1,
  steps: 2,
  model_calls: 3,
  recoveries: 0,
  interrupted_waits: 0,
  usage: NO_USAGE,
  charged: { tokens: 0, usd: 0, estimated: false },
  searches: { count: 0, usd: 0 },
  budget: {},
}

export const TURN_ONE: readonly Block[] = [
  { type: 'thinking', thinking: 'An outage: load the skill.', signature: 's' },
  { type: 'text', text: 'I load it 👋🏽 now.' },
  { type: 'tool_use', id: 'tu_1', name: 'load_skill', input: { name: 'incident-report' } },
  { type: 'tool_use', id: 'tu_2', name: 'read_file', input: { path: PATH } },
]
export const RESULTS: readonly Block[] = [
  { type: 'tool_result', tool_use_id: 'tu_1', content: 'the body', is_error: false },
  { type: 'tool_result', tool_use_id: 'tu_2', content: 'no such file', is_error: true },
]
export const TURN_TWO: readonly Block[] = [{ type: 'text', text: '# Report\n\nAll is well.' }]

export const STARTED: EventBody = {
  type: 'run.started',
  model: 'm',
  build: 'b',
  catalog_version: 4,
  demo: false,
}
export const ENDED: EventBody = { type: 'run.completed', stop_reason: 'answered', receipt: RECEIPT }
export const textDelta = (text: string, offset = 0, step = 1): EventBody => ({
  type: 'text.delta',
  step,
  block: 1,
  offset,
  text,
})
export const toolStarted = (id: string, name: string, input: unknown): EventBody => ({
  type: 'tool.started',
  tool_use_id: id,
  name,
  input,
})
export const toolDone = (id: string, name: string, preview: string, is_error = false): EventBody => ({
  type: 'tool.completed',
  tool_use_id: id,
  name,
  is_error,
  preview,
  duration_ms: 12,
})

export function message(id: string, role: Message['role'], content: readonly Block[]): Message {
  return { id, run_id: RUN, role, content, model: role === 'assistant' ? 'demo' : null, created_at: AT }
}

export function frame(seq: number, body: EventBody, from = seq): Event {
  return { ...body, seq, ...(from === seq ? {} : { from }), thread_id: 'th_1', run_id: RUN, at: AT }
}

function deltas(
  type: 'text.delta' | 'thinking.delta',
  step: number,
  block: number,
  text: string,
): EventBody[] {
  return Array.from(text, (letter, offset) => ({ type, step, block, offset, text: letter }))
}

function completed(step: number, content: readonly Block[]): EventBody {
  const whole = message(`m_${step}`, 'assistant', content)
  return { type: 'message.completed', step, message: whole, model_stop: 'end_turn', usage: NO_USAGE }
}

/** Every frame of the undisturbed run, with consecutive numbers. */
export const FRAMES: readonly Event[] = [
  { type: 'run.accepted', status: 'running' } as const,
  { type: 'run.started', model: 'demo', build: 'b', catalog_version: 4, demo: true } as const,
  { type: 'step.started', step: 1 } as const,
  ...deltas('thinking.delta', 1, 0, 'An outage: load the skill.'),
  ...deltas('text.delta', 1, 1, 'I load it 👋🏽 now.'),
  completed(1, TURN_ONE),
  {
    type: 'tool.started',
    tool_use_id: 'tu_1',
    name: 'load_skill',
    input: { name: 'incident-report' },
  } as const,
  { type: 'tool.started', tool_use_id: 'tu_2', name: 'read_file', input: { path: PATH } } as const,
  { type: 'skill.loaded', name: 'incident-report', category: 'public', digest: DIGEST, via: 'tool' } as const,
  {
    type: 'tool.completed',
    tool_use_id: 'tu_1',
    name: 'load_skill',
    is_error: false,
    preview: 'the body',
    duration_ms: 3,
  } as const,
  {
    type: 'tool.completed',
    tool_use_id: 'tu_2',
    name: 'read_file',
    is_error: true,
    preview: 'no such file',
    duration_ms: 2,
  } as const,
  { type: 'step.started', step: 2 } as const,
  ...deltas('text.delta', 2, 0, 'Rubbish that br'),
  { type: 'step.restarted', step: 2, reason: 'model_fault' } as const,
  ...deltas('text.delta', 2, 0, '# Report\n\nAll is well.'),
  completed(2, TURN_TWO),
  { type: 'run.completed', stop_reason: 'answered', receipt: RECEIPT } as const,
].map((body, at) => frame(at + 1, body))

/** As a replay may send them: adjacent deltas of one block in one frame, where `joined` says so. */
export function merged(frames: readonly Event[], joined: (at: number) => boolean): Event[] {
  const out: Event[] = []
  for (const [at, next] of frames.entries()) {
    const last = out.at(-1)
    const same =
      (next.type === 'text.delta' || next.type === 'thinking.delta') &&
      last?.type === next.type &&
      last.step === next.step &&
      last.block === next.block
    if (same && joined(at)) {
      out[out.length - 1] = {
        ...last,
        seq: next.seq,
        from: last.from ?? last.seq,
        text: last.text + next.text,
      }
    } else {
      out.push(next)
    }
  }
  return out
}

/** As the log has them when the run is over: deltas have no rows, and the next row covers their numbers. */
export function fromLog(frames: readonly Event[]): Event[] {
  let written = 0
  return frames.flatMap((event) => {
    if (event.type === 'text.delta' || event.type === 'thinking.delta') return []
    const from = written + 1
    written = event.seq
    return [from === event.seq ? event : { ...event, from }]
  })
}
