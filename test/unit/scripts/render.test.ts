// Promise: the terminal shows the answer as it arrives, and what was loaded and run on dim lines; nothing in either
// controls the terminal.

import { expect, test } from 'vitest'

import { receiptLine, Renderer } from '../../../scripts/chat/render.ts'
import { PlainScreen } from '../../../scripts/chat/plain-screen.ts'
import { banner, curlLine, modelLine } from '../../../scripts/start/banner.ts'

import { NO_USAGE, type Message } from '../../../src/agent/message.ts'

import type { Event, EventBody, Receipt } from '../../../src/agent/events.ts'

const LABELS = new Map([
  [
    'read_file',
    { icon: 'file', now: 'Reading', past: 'Read', failed: 'Could not read', many: 'files' } as const,
  ],
])

function shown(bodies: readonly EventBody[], thinking = false): string {
  let out = ''
  const renderer = new Renderer(new PlainScreen((text) => (out += text), 80), thinking, LABELS)
  for (const [index, body] of bodies.entries()) {
    const event: Event = { ...body, seq: index + 1, thread_id: 'th', run_id: 'run', at: '' }
    renderer.show(event)
  }
  return out
}

const text = (step: number, offset: number, added: string, block = 0): EventBody => ({
  type: 'text.delta',
  step,
  block,
  offset,
  text: added,
})
const WELL = { is_error: false, preview: '', duration_ms: 1 } as const
const done: EventBody = { type: 'run.completed', stop_reason: 'answered', receipt: {} as Receipt } // the cast is safe: the receipt is not read here

test('text is shown as it arrives, and events between it have their own lines', () => {
  expect(
    shown([
      { type: 'step.started', step: 1 },
      text(1, 0, 'Let me '),
      text(1, 7, 'look.'),
      { type: 'skill.loaded', name: 'incident-report', category: 'public', digest: 'd', via: 'slash' },
      { type: 'skill.loaded', name: 'by-a-call', category: 'public', digest: 'd', via: 'tool' },
      { type: 'tool.started', tool_use_id: 't', name: 'read_file', input: { path: '/a/b.md' } },
      { type: 'tool.completed', tool_use_id: 't', name: 'read_file', ...WELL },
      { type: 'tool.started', tool_use_id: 'u', name: 'create_ticket', input: { title: 'a' } },
      { type: 'tool.completed', tool_use_id: 'u', name: 'create_ticket', ...WELL },
      { type: 'step.started', step: 2 },
      text(2, 0, 'Done.'),
      done,
    ]),
  ).toBe('Let me look.\n✓ Loaded incident-report\n✓ Read b.md\n✓ Called create_ticket\nDone.\n')
})

test('a wait for a server is one line that names the tool, and the call is shown when it has its result', () => {
  const at = '2026-01-02T03:04:05.000Z'
  const wait = {
    type: 'run.waiting',
    reason: 'server',
    tool_use_ids: ['t'],
    since: at,
    until: at,
    detail: '',
  } as const
  const time = new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  expect(
    shown([
      { type: 'tool.started', tool_use_id: 't', name: 'export_data', input: {} },
      wait,
      { type: 'tool.completed', tool_use_id: 't', name: 'export_data', ...WELL },
      { type: 'run.resumed' },
      done,
    ]),
  ).toBe(`Waiting for export_data (since ${time}).\n✓ Called export_data\n`)
})

test('a plan is shown whole, then by its progress, and its call has no line of its own', () => {
  const plan = (...states: readonly ('pending' | 'in_progress' | 'completed')[]): EventBody => ({
    type: 'todo.updated',
    items: states.map((status, at) => ({ text: `Part\x1b[2J ${at + 1}`, status })),
  })
  expect(
    shown([
      { type: 'tool.completed', tool_use_id: 't', name: 'write_todos', ...WELL },
      plan('completed', 'in_progress', 'pending'),
      plan('completed', 'completed', 'in_progress'),
      plan('completed'),
      plan(),
      done,
    ]),
  ).toBe(
    [
      'Plan: 1 of 3 done',
      '✓ Part 1',
      '▸ Part 2',
      '○ Part 3',
      'Plan: 2 of 3 done · ▸ Part 3',
      'Plan: 1 of 1 done',
      '✓ Part 1',
      'The plan was removed.',
      '',
    ].join('\n'),
  )
})

test('a new window is one line with the sizes before and after', () => {
  expect(
    shown([
      {
        type: 'context.compacted',
        window: 2,
        before_tokens: 80_000,
        after_tokens: 4_000,
        way: 'model',
        cost_usd: 0.1,
        summary: 'All of it.',
      },
      done,
    ]),
  ).toBe('◆ Conversation compacted: about 80,000 → 4,000 tokens\n')
})

test('merged and repeated deltas add only what is new', () => {
  expect(shown([text(1, 0, 'one '), text(1, 0, 'one two '), text(1, 4, 'two three'), done])).toBe(
    'one two three\n',
  )
})

test('text that the output limit cut off is continued on its line', () => {
  const message: Message = {
    id: 'm',
    run_id: 'run',
    role: 'assistant',
    content: [],
    model: null,
    created_at: '',
  }
  const cut = {
    type: 'message.completed',
    step: 1,
    message,
    model_stop: 'max_tokens',
    usage: NO_USAGE,
  } as const
  expect(shown([text(1, 0, 'One, tw'), cut, { type: 'step.started', step: 2 }, text(2, 0, 'o.'), done])).toBe(
    'One, two.\n',
  )
})

test('a step that restarts says so and is shown again', () => {
  expect(
    shown([
      text(1, 0, 'half'),
      { type: 'step.restarted', step: 1, reason: 'crash' },
      text(1, 0, 'whole'),
      done,
    ]),
  ).toBe('half\nThe server restarted, so this step starts again.\nwhole\n')
})

test('a retried model request is shown with the unchanged message of the API', () => {
  const detail = 'The Messages API responded with 500 api_error: Sorry.'
  expect(
    shown([
      { type: 'model.retry', attempt: 1, wait_ms: 1_250, reason: 'server_error', detail },
      { type: 'step.restarted', step: 1, reason: 'model_fault' },
      text(1, 0, 'whole'),
      done,
    ]),
  ).toBe(`${detail} Trying again (try 2)…\nThis step starts again.\nwhole\n`)
})

test('thinking is shown only when asked for', () => {
  const events: EventBody[] = [
    { type: 'thinking.delta', step: 1, block: 0, offset: 0, text: 'hm' },
    text(1, 0, 'yes', 1),
    done,
  ]
  expect(shown(events)).toBe('yes\n')
  expect(shown(events, true)).toBe('hm\nyes\n')
})

test('a denied call is shown as denied, not as failed', () => {
  const id = { tool_use_id: 't', name: 'send' } as const
  expect(
    shown([
      { type: 'tool.started', ...id, input: {} },
      { type: 'approval.decided', ...id, decision: 'deny', by: 'ann' },
      { type: 'tool.completed', ...id, is_error: true, preview: 'Not run.', duration_ms: 1 },
      { type: 'tool.completed', ...id, tool_use_id: 'u', is_error: true, preview: 'Gone.', duration_ms: 1 },
    ]),
  ).toBe('✗ send: denied by ann\n✗ The call failed: send: Gone.\n')
})

test('text from the server cannot move the cursor or forge a line', () => {
  const esc = String.fromCharCode(27)
  const out = shown([
    text(1, 0, `${esc}[2Jboo${esc}]0;x${String.fromCharCode(7)}`),
    { type: 'tool.started', tool_use_id: 'r', name: 'read_file', input: { path: `a${esc}[1A\n✓ all well` } },
    {
      type: 'tool.completed',
      tool_use_id: 'r',
      name: 'read_file',
      is_error: true,
      preview: `no${esc}[2J`,
      duration_ms: 1,
    },
    {
      type: 'tool.completed',
      tool_use_id: 't',
      name: `x${esc}c`,
      is_error: true,
      preview: 'no\nsuch',
      duration_ms: 1,
    },
  ])
  expect(out).toBe('boo\n✗ Could not read a: no\n✗ The call failed: x: no such\n')
})

test('the receipt is one line', () => {
  const receipt = {
    skills: [{ name: 'a' }, { name: 'b' }],
    steps: 1,
    charged: { tokens: 1_234, usd: 0.0123, estimated: false },
    catalog_version: 3,
    model: 'demo',
  }
  // The cast is safe: only the displayed fields are needed.
  expect(receiptLine(receipt as unknown as Receipt)).toBe(
    'skills: a, b · 1 step · 1,234 tokens · $0.0123 · catalog 3 · demo',
  )
  const guess = { ...receipt, charged: { ...receipt.charged, estimated: true } }
  expect(receiptLine(guess as unknown as Receipt)).toContain('· at most 1,234 tokens · at most $0.0123 ·')
})

test('the curl line is quoted, and the model line says which API answers', () => {
  expect(curlLine('http://127.0.0.1:1', "it's")).toContain(`'Authorization: Bearer it'\\''s'`)
  expect(modelLine({ ANTHROPIC_API_KEY: 'sk-x', ANTHROPIC_BASE_URL: 'http://x' }, 'm')).toBe(
    'm at http://x. It is not called before you send a message.',
  )
  expect(modelLine({}, 'demo')).toMatch(/^the demo model answers.*ANTHROPIC_API_KEY/)
  expect(modelLine({ ANTHROPIC_BASE_URL: 'http://x' }, 'demo')).toContain('ANTHROPIC_BASE_URL is ignored')
})

test('the banner begins with the link, and has a curl command only on request', () => {
  const given = {
    url: 'http://127.0.0.1:1',
    adminKey: 'k',
    model: 'm answers.',
    isFound: true,
    showsCurl: false,
  }
  const lines = banner(given).trim().split('\n')
  expect(lines[1]).toContain('http://127.0.0.1:1/#key=k')
  expect(banner(given)).toContain('Model:  m answers.')
  expect(banner(given)).toContain('npm run chat\n')
  expect(banner(given)).not.toContain('curl')
  expect(banner({ ...given, showsCurl: true })).toContain('curl -N http://127.0.0.1:1/v1/chat')
  expect(banner({ ...given, isFound: false })).toContain('npm run chat -- --url http://127.0.0.1:1\n')
})
