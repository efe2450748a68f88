// The commands of a conversation: `/name` and arguments. Shows its results on the screen. Does not call skills of
// other names.

import { models } from '../../src/client/skills.ts'
import { receipts, thread } from '../../src/client/threads.ts'
import { fullPath } from '../../src/files/path.ts'
import { openAttachments, sendAttachments } from './attach.ts'
import { saveFiles } from './fetch.ts'
import { openInChat } from './open.ts'
import { listSkills, showThreads } from './lists.ts'
import { OUTPUTS } from './outputs.ts'
import { receiptLine } from './render.ts'
import { explainFailure } from '../lib/server.ts'
import { harmlessLine } from '../lib/terminal.ts'

import type { ChatSession } from './session.ts'

interface Command {
  readonly name: string
  /** Its arguments, as help shows them. */
  readonly takes: string
  readonly about: string
  /** False: the conversation ends. */
  run(session: ChatSession, args: string): Promise<false | void> | false | void
}

const NO_THREAD = 'There is no thread yet: say something, or /open one.'

export const CHAT_COMMANDS: readonly Command[] = [
  { name: 'help', takes: '', about: 'this list', run: help },
  { name: 'skills', takes: '[WORD]', about: 'the skills that you may call, /name each', run: listSkills },
  {
    name: 'threads',
    takes: '[WORDS]',
    about: 'your threads, newest first, or those that say WORDS',
    run: showThreads,
  },
  {
    name: 'open',
    takes: 'N|ID',
    about: 'go on with a thread, by its number in /threads or its id',
    run: openInChat,
  },
  { name: 'new', takes: '', about: 'begin a new thread', run: begin },
  { name: 'files', takes: '', about: "this thread's files", run: files },
  { name: 'attach', takes: 'FILE', about: 'put a file of this machine into the thread', run: attach },
  {
    name: 'save',
    takes: 'DIR',
    about: "save the thread's outputs into a folder, never over others",
    run: save,
  },
  { name: 'cost', takes: '', about: 'what this thread used and was charged', run: cost },
  { name: 'exit', takes: '', about: 'leave; Ctrl-D does, too', run: () => false },
  { name: 'quit', takes: '', about: 'the same', run: () => false },
]

const KEYS = [
  'A line that ends in \\ goes on in the next one; what is pasted is one message.',
  'Ctrl-C stops the answer; again, or where nothing is typed, it leaves. Ctrl-D at a card answers it later.',
]

function help({ manner: { screen } }: ChatSession): void {
  for (const { name, takes, about } of CHAT_COMMANDS) screen.row(`/${name} ${takes}`.trimEnd(), about)
  screen.row('/NAME WORDS', 'calls the skill NAME with your words')
  for (const line of KEYS) screen.line(line, 'dim')
}

function begin(session: ChatSession): void {
  session.enter(undefined)
  session.manner.screen.line('A new thread begins with your next message.', 'dim')
}

async function files({ server, manner: { screen }, threadId }: ChatSession): Promise<void> {
  if (threadId === undefined) return screen.line(NO_THREAD)
  const list = await server.client.files(threadId)
  if (!list.ok) return screen.fault(explainFailure(list.error, server.url))
  if (list.value.length === 0) return screen.line('This thread has no files.')
  for (const { path, bytes } of list.value)
    screen.line(harmlessLine(`${fullPath(path)} · ${count(bytes)} bytes`))
  screen.line('/save DIR saves the outputs.', 'dim')
}

async function attach(session: ChatSession, path: string): Promise<void> {
  const { server, manner } = session
  if (path === '') return manner.screen.line('Which file? /attach FILE')
  const opened = await openAttachments([path])
  if (!opened.ok) return manner.screen.fault(opened.error.replace('--file ', ''))
  const sent = await sendAttachments(server, session.threadId, opened.value)
  if (!sent.ok) return manner.screen.fault(sent.error)
  session.enter(sent.value.threadId)
  for (const { path, bytes } of sent.value.files)
    manner.screen.line(harmlessLine(`attached: ${fullPath(path)} (${count(bytes)} bytes)`), 'dim')
}

async function save({ server, manner: { screen }, threadId }: ChatSession, folder: string): Promise<void> {
  if (threadId === undefined) return screen.line(NO_THREAD)
  if (folder === '') return screen.line('Into which folder? /save DIR')
  const list = await server.client.files(threadId, OUTPUTS)
  if (!list.ok) return screen.fault(explainFailure(list.error, server.url))
  if (list.value.length === 0) return screen.line(`There is nothing in ${fullPath(OUTPUTS)} of this thread.`)
  await saveFiles(
    server,
    threadId,
    list.value.map(({ path }) => path),
    folder,
  )
}

async function cost({ server, manner: { screen }, threadId }: ChatSession): Promise<void> {
  if (threadId === undefined) return screen.line(NO_THREAD)
  const info = await thread(server.client, threadId)
  if (!info.ok) return screen.fault(explainFailure(info.error, server.url))
  const runs = await receipts(server.client, threadId, { limit: 1 })
  if (!runs.ok) return screen.fault(explainFailure(runs.error, server.url))
  const all = await models(server.client)
  const { charged, model, context_tokens } = info.value
  const window = all.ok ? all.value.find(({ id }) => id === model)?.window : null
  const most = charged.estimated ? 'at most ' : ''
  screen.line(
    harmlessLine(
      `this thread: ${most}${count(charged.tokens)} tokens · ${most}$${charged.usd.toFixed(4)} · ${model}`,
    ),
  )
  screen.line(
    `its next message starts from ${count(context_tokens)} tokens${window ? ` of ${count(window)}` : ''}`,
  )
  const last = runs.value.data[0]
  if (last) screen.line(`last answer: ${receiptLine(last)}`)
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
