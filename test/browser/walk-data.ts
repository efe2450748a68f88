// Scripted responses for the walks of walk.ts: an answer that uses all of Markdown, steps, a call that waits for
// approval, and files.

import type { EventBody } from '../../src/agent/events.ts'
import type { ApprovalInfo } from '../../src/thread/approvals/api.ts'
import { RECEIPT, RUN, STARTED, toolStarted, toolDone } from '../unit/page/frames.ts'

const LONG = Array.from({ length: 60 }, (_, at) => `const value${at} = ${at}`).join('\n')
const WIDE = Array.from({ length: 14 }, (_, at) => `a wide column ${at}`)

/** All of GitHub's Markdown; the table is within its first 700 characters. */
export const REPORT = `# Report

Checkout was **down** for _twelve_ minutes; see [the log](https://example.com/log) and \`deploy.ts\`.

| Metric | Value |
|:---|---:|
| Orders | 12 |
| Lost | ~~3~~ 2 |

- [x] find it
- [ ] fix it
  1. one
  2. two

> Somebody said so.

---

${`Words that fill the space above, so that what follows comes later. `.repeat(8)}

\`\`\`ts
${LONG}
\`\`\`

| ${WIDE.join(' | ')} |
|${WIDE.map(() => '---').join('|')}|
| ${WIDE.join(' | ')} |

![a picture](https://example.com/p.png)

\`\`\`\`md
A fence in a fence:
\`\`\`sh
ls -la
\`\`\`
\`\`\`\`
`

const PATH = '/mnt/skills/public/incident-report/references/template.md'
const call = (id: string, name: string, input: unknown, preview: string, is_error = false): EventBody[] => [
  toolStarted(id, name, input),
  toolDone(id, name, preview, is_error),
]

export const STEPS: readonly EventBody[] = [
  STARTED,
  ...call('a', 'load_skill', { name: 'incident-report' }, 'the body'),
  { type: 'skill.loaded', name: 'incident-report', category: 'public', digest: 'sha256:1f2e', via: 'tool' },
  ...['b', 'c', 'd', 'e'].flatMap((id) => call(id, 'read_file', { path: PATH }, 'no such file', id === 'c')),
  ...call('f', 'bash', { command: 'python3 count.py' }, 'line\n'.repeat(90)),
  { type: 'budget.warning', detail: '80 % of the dollars of this run are used.' },
]

const error = {
  type: 'about:blank',
  title: '',
  status: 502,
  code: 'model_error',
  detail: 'It was tried 4 times.',
  request_id: 'req_7',
} as const
export const failed: EventBody = {
  type: 'run.failed',
  stop_reason: 'model_error',
  receipt: { ...RECEIPT, status: 'failed', stop_reason: 'model_error', error },
  error,
}

const QUESTION = {
  kind: 'approach_choice',
  question: 'For customers or for the team?',
  context: 'The two differ.',
  options: ['For customers', 'For the team'],
}
export const ASKING: readonly EventBody[] = [
  STARTED,
  ...call('q', 'ask_clarification', QUESTION, 'asked'),
  {
    type: 'run.completed',
    stop_reason: 'awaiting_input',
    receipt: { ...RECEIPT, stop_reason: 'awaiting_input' },
  },
]

const UNTIL = '2030-01-02T03:04:05.000Z'
const wanted = (id: string): EventBody => ({
  type: 'approval.requested',
  tool_use_id: id,
  name: 'create_ticket',
  input: { title: 'No paper' },
  request: {
    kind: 'tool',
    method: 'POST',
    url: 'https://tickets.example/v1/tickets?team=a',
    headers: { 'content-type': 'application/json' },
    body: '{"title":"No paper"}',
    notes: ['The body was cut.'],
  },
  free: [],
  reason: 'This tool requires approval for every call.',
  digest: 'd',
  expires_at: UNTIL,
})
/** A call as the server lists it. */
export function approvalInfo(id: string, given: Partial<ApprovalInfo> = {}): ApprovalInfo {
  const event = wanted(id)
  if (event.type !== 'approval.requested') throw new Error('The event requests no approval.')
  const { tool_use_id, name, input, request, free, reason, digest, expires_at } = event
  const call = { tool_use_id, name, input, request, free, reason, digest: `${digest}-${id}`, expires_at }
  const requested_at = `2026-03-04T09:00:00.${id.charCodeAt(0)}Z`
  return { thread_id: 'th_1', run_id: RUN, ...call, by: 'owner', requested_at, ...given }
}
const started = (id: string) => toolStarted(id, 'create_ticket', { title: 'No paper' })
/** One call that was denied, and one that waits. */
export const asking: readonly EventBody[] = [
  { type: 'run.accepted', status: 'running' },
  STARTED,
  started('x'),
  wanted('x'),
  { type: 'approval.decided', tool_use_id: 'x', decision: 'deny', by: 'key:admin' },
  started('c'),
  wanted('c'),
  { type: 'run.waiting', reason: 'approval', tool_use_ids: ['c'], since: UNTIL, until: UNTIL, detail: '' },
]

export const TEXTS: Record<string, string> = {
  'outputs/rows.csv': `place,amount\n${Array.from({ length: 40 }, (_, at) => `"Zürich, ${at}",${at}`).join('\n')}\n`,
  'outputs/notes.md': '# Findings\n\nAll is well.\n',
  'outputs/run.py': 'print("hello")\n',
}

export function skill(name: string, given: Record<string, unknown> = {}) {
  return {
    name,
    description: `Use when ${name} is asked for.`,
    category: 'custom',
    enabled: true,
    digest: 'sha256:0123456789abcdef',
    license: 'MIT',
    tags: ['ops'],
    tokens: { index: 10, body: 100 },
    files: 1,
    bytes: 10,
    user_invocable: true,
    argument_hint: null,
    version: '1.0.0',
    dependencies: [],
    updated_at: RECEIPT.accepted_at,
    diagnostics: [],
    ...given,
  }
}

/** A tool of GET /v1/tools. */
export function agentTool(name: string, given: Record<string, unknown> = {}) {
  return {
    name,
    description: `Does what ${name} says.`,
    source: 'mcp',
    origin: { server: 'notes', tool: name },
    label: null,
    group: null,
    effect: 'once',
    approval: { ask: 'always' },
    ...given,
  }
}

/** A server of GET /admin/mcp. */
export function mcpServer(given: Record<string, unknown> = {}) {
  return {
    name: 'notes',
    url: 'https://notes.example/mcp',
    trusted: false,
    group: null,
    enabled: true,
    approved: 'd1',
    tools: 2,
    state: 'blocked',
    last_seen_at: RECEIPT.accepted_at,
    last_error: { at: RECEIPT.accepted_at, detail: 'It did not answer within 30 s.' },
    blocked: 1,
    unapproved: 1,
    problem: null,
    ...given,
  }
}
