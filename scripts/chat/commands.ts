// The commands of a conversation, typed as `/name` and arguments. They show their results on the screen.
// Skill calls are not commands; conversation.ts sends them as messages.

import { listReceipts, readThread } from '../../src/client/threads.ts'
import { fullPath } from '../../src/files/path.ts'
import { openAttachments, sendAttachments } from './attach.ts'
import { saveFiles } from './download.ts'
import { openInChat } from './open.ts'
import { listSkills, showThreads } from './lists.ts'
import { OUTPUTS_PREFIX } from './outputs.ts'
import { planCommand } from './plan.ts'
import { showTools } from './tools.ts'
import { receiptLine } from './render.ts'
import { compactCommand, contextLine, formatCount, modelCommand, NO_THREAD, showSummary } from './windows.ts'
import { explainFailure } from '../lib/server.ts'
import { harmlessLine } from '../lib/terminal.ts'

import type { ChatSession } from './session.ts'

interface Command {
  readonly name: string
  /** The arguments, as shown by /help. */
  readonly argumentHint: string
  readonly description: string
  /** Returns false to end the conversation. */
  run(session: ChatSession, args: string): Promise<false | void> | false | void
}

export const CHAT_COMMANDS: readonly Command[] = [
  { name: 'help', argumentHint: '', description: 'show this list', run: showHelp },
  {
    name: 'skills',
    argumentHint: '[WORD]',
    description: 'list the skills that you can call with /NAME',
    run: listSkills,
  },
  {
    name: 'tools',
    argumentHint: '[SERVER]',
    description: 'list the tools of the agent, or those of an MCP server',
    run: showTools,
  },
  {
    name: 'threads',
    argumentHint: '[WORDS]',
    description: 'list your threads, newest first, or those that contain WORDS',
    run: showThreads,
  },
  {
    name: 'open',
    argumentHint: 'N|ID',
    description: 'continue a thread, by its number in /threads or its ID',
    run: openInChat,
  },
  { name: 'new', argumentHint: '', description: 'start a new thread', run: startNewThread },
  { name: 'files', argumentHint: '', description: "list this thread's files", run: listFiles },
  {
    name: 'attach',
    argumentHint: 'FILE',
    description: 'upload a file from this machine to the thread',
    run: attachFile,
  },
  {
    name: 'save',
    argumentHint: 'DIR',
    description: "save the thread's outputs to a folder, without overwriting files",
    run: saveOutputs,
  },
  {
    name: 'plan',
    argumentHint: '',
    description: 'show the plan of this thread; before its first message, keep one',
    run: planCommand,
  },
  {
    name: 'cost',
    argumentHint: '',
    description: 'show what this thread used and was charged',
    run: showCost,
  },
  {
    name: 'compact',
    argumentHint: '[WHAT]',
    description: 'continue in a new context window, with a summary that keeps WHAT',
    run: compactCommand,
  },
  {
    name: 'summary',
    argumentHint: '',
    description: 'show the summary with which the context window began',
    run: showSummary,
  },
  {
    name: 'model',
    argumentHint: '[ID]',
    description: 'list the models, or continue with another one',
    run: modelCommand,
  },
  {
    name: 'steer',
    argumentHint: 'TEXT',
    description: 'during an answer: add TEXT to it',
    run: ({ terminal: { screen } }) => screen.line('No answer is being written. Send the text as a message.'),
  },
  { name: 'exit', argumentHint: '', description: 'leave (or press Ctrl-D)', run: () => false },
  { name: 'quit', argumentHint: '', description: 'same as /exit', run: () => false },
]

const KEY_HELP = [
  'End a line with \\ to continue on the next one. Pasted text is one message.',
  'During an answer, Enter queues a message for later, and /steer TEXT adds TEXT to the answer.',
  'Esc or Ctrl-C stops the answer; press Ctrl-C again, or at an empty prompt, to leave. Ctrl-D at a card leaves it for later.',
]

function showHelp({ terminal: { screen } }: ChatSession): void {
  for (const { name, argumentHint, description } of CHAT_COMMANDS)
    screen.row(`/${name} ${argumentHint}`.trimEnd(), description)
  screen.row('/NAME WORDS', 'call the skill NAME with your words')
  for (const line of KEY_HELP) screen.line(line, 'dim')
}

function startNewThread(session: ChatSession): void {
  session.enter(undefined)
  session.beginsThread = true
  session.terminal.screen.line('Your next message starts a new thread.', 'dim')
}

async function listFiles({ server, terminal: { screen }, threadId }: ChatSession): Promise<void> {
  if (threadId === undefined) return screen.line(NO_THREAD)
  const list = await server.client.listFiles(threadId)
  if (!list.ok) return screen.fault(explainFailure(list.error, server.url))
  if (list.value.length === 0) return screen.line('This thread has no files.')
  for (const { path, bytes } of list.value)
    screen.line(harmlessLine(`${fullPath(path)} · ${formatCount(bytes)} bytes`))
  screen.line('/save DIR saves the outputs.', 'dim')
}

async function attachFile(session: ChatSession, path: string): Promise<void> {
  const { server, terminal } = session
  if (path === '') return terminal.screen.line('Specify the file: /attach FILE')
  const attachments = await openAttachments([path])
  if (!attachments.ok) return terminal.screen.fault(attachments.error.replace('--file ', ''))
  const uploadResult = await sendAttachments(server, session.threadId, attachments.value)
  if (!uploadResult.ok) return terminal.screen.fault(uploadResult.error)
  // The files may have created the thread, which still begins with the chosen model.
  const { nextModel } = session
  session.enter(uploadResult.value.threadId)
  session.nextModel = nextModel
  for (const { path, bytes } of uploadResult.value.files)
    terminal.screen.line(harmlessLine(`attached: ${fullPath(path)} (${formatCount(bytes)} bytes)`), 'dim')
}

async function saveOutputs(
  { server, terminal: { screen }, threadId }: ChatSession,
  folder: string,
): Promise<void> {
  if (threadId === undefined) return screen.line(NO_THREAD)
  if (folder === '') return screen.line('Specify the folder: /save DIR')
  const list = await server.client.listFiles(threadId, OUTPUTS_PREFIX)
  if (!list.ok) return screen.fault(explainFailure(list.error, server.url))
  if (list.value.length === 0) return screen.line(`This thread has no files in ${fullPath(OUTPUTS_PREFIX)}.`)
  await saveFiles(
    server,
    threadId,
    list.value.map(({ path }) => path),
    folder,
  )
}

async function showCost({ server, terminal: { screen }, threadId }: ChatSession): Promise<void> {
  if (threadId === undefined) return screen.line(NO_THREAD)
  const info = await readThread(server.client, threadId)
  if (!info.ok) return screen.fault(explainFailure(info.error, server.url))
  const runs = await listReceipts(server.client, threadId, { limit: 1 })
  if (!runs.ok) return screen.fault(explainFailure(runs.error, server.url))
  const { charged, model } = info.value
  const atMost = charged.estimated ? 'at most ' : ''
  screen.line(
    harmlessLine(
      `this thread: ${atMost}${formatCount(charged.tokens)} tokens · ${atMost}$${charged.usd.toFixed(4)} · ${model}`,
    ),
  )
  screen.line(await contextLine(server, info.value))
  const lastReceipt = runs.value.data[0]
  if (lastReceipt) screen.line(`last answer: ${receiptLine(lastReceipt)}`)
}
