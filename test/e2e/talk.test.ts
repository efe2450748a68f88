// Promise: at a real terminal a person can talk with the agent: recall earlier messages, stop an answer and keep its
// text, answer approvals and questions in place, leave, and continue later.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { until } from '../../scripts/lab/rig/until.ts'
import { end } from '../../scripts/lib/processes.ts'
import { ADMIN_KEY, livingWorkerd, startSatchel, temporary, type Satchel } from './satchel.ts'
import { startTalkModel, type TalkModel } from './talk-model.ts'
import { withTerminal, CTRL_C, CTRL_D, pasted, UP, type Person, type Window } from './terminal.ts'
import { startTickets, type Tickets } from './tickets.ts'

import type { Message } from '../../src/agent/message.ts'

const PROMPT = /\n>$/
const RECEIPT = /catalog\s+\d+\s+·\s+\S+/

let model: TalkModel
let tickets: Tickets
let satchel: Satchel
const folder = temporary()
const people: Person[] = []

beforeAll(async () => {
  ;[model, tickets] = await Promise.all([startTalkModel(), startTickets()])
  satchel = await startSatchel({
    args: tickets.args,
    env: { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: model.url },
  })
  const put = await satchel.client.json('PUT', '/admin/tools/create_ticket', JSON.parse(tickets.definition))
  expect(put.ok).toBe(true)
})
afterEach(() => {
  for (const person of people.splice(0)) person.end()
})
afterAll(async () => {
  await satchel?.stop()
  await tickets?.stop()
  await model?.close()
  rmSync(folder, { recursive: true, force: true })
})

function sit(args: readonly string[] = [], window: Window = {}): Person {
  const person = withTerminal(['--url', satchel.url, ...args], window)
  people.push(person)
  return person
}

/** Types `text`, and waits for the prompt after the receipt. */
async function say(person: Person, text: string): Promise<string> {
  await person.sees(PROMPT)
  const before = person.screen().split('\n').length
  person.type(`${text}\r`)
  return person.sees(PROMPT, new RegExp(`(?:.*\\n){${before}}[^]*${RECEIPT.source}`))
}

async function messagesOf(thread: string): Promise<readonly string[]> {
  const page = await satchel.client.json<{ readonly data: readonly Message[] }>(
    'GET',
    `/v1/threads/${thread}/messages`,
  )
  if (!page.ok) throw new Error(JSON.stringify(page.error))
  return page.value.body.data.map(({ content }) =>
    content.map(({ text }) => (typeof text === 'string' ? text : '')).join(''),
  )
}

/** The thread that the last line names. On a busy machine, the process ends before its last lines are read. */
async function threadOf(person: Person): Promise<string> {
  return until('the screen names the thread', () => {
    // A narrow window breaks the line anywhere, even inside the id.
    return /--thread (th_\w+)/.exec(person.screen().replaceAll('\n', ''))?.[1]
  })
}

test('continues one thread over two turns, and keeps the input history for the next start', async () => {
  const history = { SATCHEL_HISTORY: join(folder, 'state/history') }
  const person = sit([], { env: history })
  await say(person, 'good morning')
  await say(person, 'and good night')
  person.type(`${UP}${UP}`)
  await person.sees(/\n> good morning$/)
  person.type(CTRL_C)
  await person.sees(PROMPT)
  person.type(CTRL_C)
  expect(await person.left()).toBe(0)
  const thread = await threadOf(person)
  expect(await messagesOf(thread)).toEqual([
    'good morning',
    'You said "good morning".',
    'and good night',
    'You said "and good night".',
  ])

  const later = sit(['--thread', thread], { env: history })
  await later.sees('> and good night')
  await later.sees('You said "and good night".')
  await later.sees(PROMPT)
  later.type(UP)
  await later.sees(/\n> and good night$/)
  later.type(`${CTRL_C}${CTRL_D}`)
  expect(await later.left()).toBe(0)
  expect(statSync(history.SATCHEL_HISTORY).mode & 0o077, 'only its owner reads it').toBe(0)
})

test('keeps keys out of the history', async () => {
  const file = join(folder, 'history-without-keys')
  const person = sit([], { env: { SATCHEL_HISTORY: file } })
  await say(person, `my key is ${ADMIN_KEY}`)
  await say(person, 'use sk-ant-abcdefgh12345678')
  await say(person, 'that was all')
  expect(readFileSync(file, 'utf8')).toBe('"that was all"\n')
})

test('Ctrl-C stops the answer and keeps its text; the conversation continues', async () => {
  const person = sit()
  await person.sees(PROMPT)
  person.type('a slow one\r')
  await person.sees('word39')
  await person.sees('Writing…')
  person.type(CTRL_C)
  const screen = await person.sees(PROMPT, 'Stopped. The answer so far is kept')
  expect(screen).not.toContain('word399')
  expect(screen, 'the line of what goes on is gone').not.toContain('Writing…')
  await say(person, 'and now')
  person.type('/exit\r')
  expect(await person.left()).toBe(0)
  const output = await messagesOf(await threadOf(person))
  expect(output[1]).toMatch(/^First part\.\n\nword0 [^]*word39/)
  expect(output[1]).not.toContain('word399')
  expect(output[3]).toBe('You said "and now".')
})

test('shows a plan, steers the answer, compacts the conversation, and stops with Esc', async () => {
  const person = sit(['--plan'])
  const plan = await say(person, 'two steps')
  expect(plan).toMatch(/Plan: 2 of 2 done\n✓ First\n✓ Second\n/)
  person.type('a held one\r')
  await person.sees('Enter queues, /steer TEXT steers, Esc stops')
  person.type('/steer turn le')
  await person.sees('> /steer turn le')
  person.type('ft\r')
  await person.sees('sent: the answer takes it up')
  model.release()
  await person.sees(PROMPT, 'You said "turn left".')
  expect(person.screen()).toContain('> turn left')
  person.type('/plan\r')
  await person.sees(PROMPT, /\/plan\nPlan: 2 of 2 done\n✓ First\n✓ Second\n/)
  person.type('/compact the names\r')
  await person.sees(
    PROMPT,
    /Conversation compacted: about [\d,]+ → [\d,]+ tokens[^]*its context has [\d,]+ tokens/,
  )
  person.type('/summary\r')
  await person.sees(PROMPT, '/summary\nThe model wrote no summary. What the record shows:')
  person.type('/model claude-haiku-4-5\r')
  await person.sees(PROMPT, 'Your next message continues this thread with claude-haiku-4-5.')
  await say(person, 'still there')
  expect(person.screen()).toContain('continues with claude-haiku-4-5 in a new context window (3)')
  person.type('/model\r')
  await person.sees(PROMPT, /claude-haiku-4-5 .*of this thread/)
  person.type('a slow one\r')
  await person.sees('word39')
  person.type('\x1b')
  await person.sees(PROMPT, 'Stopped. The answer so far is kept')
})

test('sends what is typed during an answer afterwards', async () => {
  const person = sit()
  await person.sees(PROMPT)
  person.type('hello\rhello again\r')
  await person.sees(PROMPT, 'You said "hello again".')
})

test('asks for approval in place, and no earlier input answers it', async () => {
  const before = tickets.received().length
  const person = sit()
  await person.sees(PROMPT)
  person.type('open a ticket\ry\r')
  const card = await person.sees('y/n/r/t:')
  expect(card).toContain(`POST http://127.0.0.1:${tickets.port}/tickets`)
  expect(tickets.received()).toHaveLength(before)
  person.type('y\r')
  await person.sees('Done as you said.')
  expect(tickets.received()).toHaveLength(before + 1)
  await person.sees('You said "y".')
})

test('Ctrl-C at an approval stops the run, and nothing is sent', async () => {
  const before = tickets.received().length
  const person = sit()
  await person.sees(PROMPT)
  person.type('open a ticket\r')
  await person.sees('y/n/r/t:')
  person.type(CTRL_C)
  await person.sees(PROMPT, 'Stopped.')
  await say(person, 'never mind')
  expect(tickets.received()).toHaveLength(before)
})

test('shows an unanswered approval again when the thread is opened', async () => {
  const person = sit()
  await person.sees(PROMPT)
  person.type('open a ticket\r')
  await person.sees('y/n/r/t:')
  person.type(CTRL_D)
  await person.sees('is waiting for approval. Nothing was sent.')
  await person.sees(PROMPT)
  person.type('/new\r/threads\r')
  await person.sees('/open N continues a thread.')
  person.type('/open 1\r')
  await person.sees('y/n/r/t:', 'This thread has a run in progress:')
  person.type('n not today\r')
  await person.sees('Done as you said.')
})

test('answers a question by the number of a choice', async () => {
  const person = sit()
  await person.sees(PROMPT)
  person.type('choose for me\r')
  await person.sees('2. Europe')
  await person.sees(/\nyour answer>$/)
  person.type('2\r')
  await person.sees(PROMPT, 'You said "Europe".')
})

test('joins lines after a backslash, and the lines of a paste, into one message', async () => {
  const person = sit()
  await person.sees(PROMPT)
  person.type('first\\\r')
  await person.sees(/\n…$/)
  person.type('second\r')
  await person.sees(PROMPT, String.raw`You said "first\nsecond".`)
  person.type(pasted('one\ttab\n  two \\\nthree\x1b[31m'))
  await person.sees(/three$/)
  person.type(' end\r')
  await person.sees(PROMPT, 'three end".')
  person.type('/exit\r')
  await person.left()
  expect(await messagesOf(await threadOf(person))).toEqual([
    'first\nsecond',
    'You said "first\\nsecond".',
    'one  tab\n  two \\\nthree end',
    String.raw`You said "one  tab\n  two \\\nthree end".`,
  ])
})

test('commands list what is available, and call a skill by its name', async () => {
  const person = sit()
  await say(person, '/code-review this diff')
  person.type('/skills incident\r')
  await person.sees('/incident-report')
  await person.sees(PROMPT)
  expect(person.screen()).toContain('✓ Loaded code-review')
  expect(person.screen()).not.toContain('/data-analysis')
  writeFileSync(join(folder, 'notes.md'), '# Notes')
  person.type(`/attach ${join(folder, 'notes.md')}\r/files\r/cost\r/help\r`)
  await person.sees('/mnt/user-data/uploads/notes.md · 7 bytes')
  await person.sees(/this thread: [\d,]+ tokens/)
  await person.sees('call the skill NAME')
  await person.sees(/its context has [\d,]+ tokens of at most [\d,]+/)
  await person.sees(PROMPT)
  person.type('/threads diff thi\r')
  // The match is shortened at its beginning, and not at its end.
  await person.sees(/\n 1\. [^\n]* · open now\n {4}…[^…]+>"\.\n/, '> /threads')
  person.type('/threads nobody ever said that\r')
  await person.sees('No thread contains that.')
  person.type('/new\r/cost\r')
  await person.sees('There is no thread yet')
  person.type('/no-such-skill\r')
  await person.sees("There is no skill 'no-such-skill'")
})

test('renders Markdown with colours, and nothing in it controls the terminal', async () => {
  const person = sit()
  const screen = await say(person, 'markdown please')
  expect(screen).toContain('checkout │      12')
  expect(screen).toContain('支付     │       3')
  expect(screen).toMatch(/\n1\. first\n2\. second\n {3}◦ inner\n/)
  expect(screen).toContain('\n    echo done\n')
  expect(screen).not.toMatch(/\*\*|```/)
  expect(person.raw()).toContain('\x1b[1mcheckout\x1b[22m')
  await say(person, 'evil')
  expect(person.screen(), 'the screen was not cleared').toContain('echo done')
  for (const code of ['\x1b]', '\x1b[2J', '\x1b[31m', '\u202e']) expect(person.raw()).not.toContain(code)
})

test('wraps words in a narrow window, and counts wide characters as two columns', async () => {
  const person = sit([], { columns: 40 })
  const screen = await say(person, 'markdown please')
  expect(screen).toContain('支付     │       3')
  await say(person, `long ${'支付 '.repeat(20)}word`)
  // In one paragraph, because the emulator would break a line that is too long anywhere.
  expect(person.screen()).toMatch(/\nYou said "long(?: 支付){5}\n支付 /)
  person.type('/help\r')
  await person.sees('call the skill NAME')
  expect(person.screen()).toContain('\n    continue a thread, by its number')
  person.type('/cost\ropen a ticket\r')
  const card = await person.sees('y/n/r/t:')
  person.type('n\r')
  await person.sees('denied by', 'y/n/r/t:')
  // A word that the terminal broke would continue at the beginning of a row.
  for (const words of ['[r]un, yes', 'yes for this [t]hread', 'waits for your'])
    expect(card.replaceAll(/\n +/g, ' ')).toContain(words)
})

test('prints no styles with NO_COLOR, and no escape codes on a dumb terminal', async () => {
  const grey = sit([], { env: { NO_COLOR: '1' } })
  const screen = await say(grey, 'markdown please')
  expect(screen).toContain('**checkout**')
  expect(grey.raw()).not.toMatch(/\p{Cc}\[[\d;]*m/u)
  const dumb = sit([], { env: { TERM: 'dumb' } })
  await dumb.sees(/>\s*$/)
  dumb.type('markdown please\r')
  await dumb.sees(/\n>\s*$/, RECEIPT)
  expect(dumb.screen()).toContain('| checkout | 12 |')
  expect(dumb.raw()).not.toContain('\x1b')
  dumb.type('/exit\r')
  expect(await dumb.left()).toBe(0)
})

test('reports a server restart in one line, and shows the whole answer once', async () => {
  const person = sit()
  await person.sees(PROMPT)
  person.type('a slow one\r')
  await person.sees('word39')
  end(await livingWorkerd(satchel))
  const screen = await person.sees(PROMPT, 'word399')
  expect(screen.match(/The server restarted[^\n]*/g)).toEqual([
    'The server restarted, so this step starts again.',
  ])
  expect(screen.match(/First part\./g), 'shown text is not repeated').toHaveLength(1)
  const words = screen.replace(/The server restarted[^\n]*/, '').replaceAll(/\s+/g, ' ')
  expect(words).toContain(Array.from({ length: 400 }, (_, at) => `word${at}`).join(' '))
})

test('asks a question of the model in place when the command has a message, too', async () => {
  const person = sit(['choose for me'])
  await person.sees('Your answer (a number, or your own words):')
  person.type('Africa\r')
  await person.sees('You said "Africa".')
  expect(await person.left()).toBe(0)
  expect(person.screen()).toContain('continue: npm run chat -- --url')
})

test('asks for a missing key and does not show it', async () => {
  mkdirSync(join(folder, 'state'), { recursive: true })
  const person = sit(['--url', satchel.url], { env: { ADMIN_KEY: '', SATCHEL_KEY: '' } })
  await person.sees('Key of the server')
  person.type(`${ADMIN_KEY}\r`)
  await person.sees(PROMPT)
  expect(person.raw()).not.toContain(ADMIN_KEY)
})

test('a rollback asks for a missing key, too', async () => {
  const env = { ADMIN_KEY: '', SATCHEL_KEY: '' }
  const person = sit(['no-such-skill'], { env, script: 'rollback-skill.ts' })
  await person.sees('Key of the server')
  person.type(`${ADMIN_KEY}\r`)
  await person.sees('not_found')
  expect(await person.left()).toBe(1)
  expect(person.raw()).not.toContain(ADMIN_KEY)
})
