// A conversation at a terminal: a message, its answer as it comes, and what the person is asked meanwhile and after it. Ends
// when nothing is asked any more, or nobody is there to be asked.

import { randomToken } from '../../src/lib/ids.ts'
import { fullPath } from '../../src/files/path.ts'
import { complain } from '../lib/command.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { oneLine, paint, shellQuote } from '../lib/terminal.ts'
import { Desk } from './desk.ts'
import { saveFiles } from './fetch.ts'
import { Outputs } from './outputs.ts'
import { askBack } from './question.ts'
import { receiptLine, Renderer } from './render.ts'

import type { Event } from '../../src/agent/events.ts'
import type { ChatEnd, ClientFailure, Listener } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { AskLine } from '../lib/ask.ts'

export interface Manner {
  readonly thinking: boolean
  /** Where files of answers go. */
  readonly folder: string | undefined
  /** Null: there is no terminal. */
  readonly ask: AskLine | null
}

type Start = (listener: Listener) => Promise<Result<ChatEnd, ClientFailure>>

/** Status 0: answered. 1: not, or a person is waited for. */
export async function converse(
  server: Server,
  thread: string | undefined,
  first: string,
  manner: Manner,
): Promise<number> {
  for (let message: string | null = first; ;) {
    const request = thread === undefined ? { message } : { message, thread_id: thread }
    const told = await followed(server, manner, (listener) =>
      server.client.chat(request, randomToken(32), listener),
    )
    message = told.options && manner.ask ? await askBack(manner.ask, told.options) : null
    thread = told.threadId ?? thread
    if (message !== null) continue
    if (told.threadId !== null) aside(`go on: ${again(server, told.threadId)} "…"`)
    return told.status
  }
}

/**
 * One run to its end, shown as it comes. `options`: what may be answered where the run asked something. `from`: what came
 * before this event is not shown.
 */
export async function followed(
  server: Server,
  { thinking, folder, ask }: Manner,
  start: Start,
  from: (event: Event) => boolean = () => true,
): Promise<{ status: number; threadId: string | null; options: readonly string[] | null }> {
  const { client, url } = server
  const outputs = new Outputs()
  const renderer = new Renderer({ write: (text) => process.stdout.write(text), thinking })
  const left = new AbortController()
  const desk = new Desk({
    ask,
    say: (line) => console.log(line),
    answer: ({ thread_id, run_id, tool_use_id }, answer) =>
      client.approve(thread_id, run_id, tool_use_id, answer),
    explain: (failure) => explainFailure(failure, url),
    leave: () => left.abort(),
  })
  let live = false
  let options: readonly string[] | null = null
  const end = await start({
    signal: left.signal,
    onEvent: (event) => {
      outputs.see(event)
      live ||= from(event)
      if (live || event.type !== 'run.waiting') desk.see(event)
      if (event.type === 'input.requested') options = event.options
      if (live) renderer.show(event)
    },
    onReconnect: (ms) => renderer.aside(`… the connection dropped; trying again in ${ms} ms`),
  })
  if (!end.ok && end.error.kind === 'left') {
    for (const { thread_id, tool_use_id, name } of desk.open) sayHow(server, thread_id, tool_use_id, name)
    return { status: 1, threadId: null, options: null }
  }
  if (!end.ok) {
    complain(explainFailure(end.error, url))
    return { status: 1, threadId: null, options: null }
  }
  const { threadId, terminal } = end.value
  if (terminal.type !== 'run.completed') {
    const why = terminal.error ? `${terminal.error.code}: ${terminal.error.detail}` : terminal.stop_reason
    complain(`The run ended as ${terminal.type.slice('run.'.length)}: ${why}`)
  } else if (terminal.stop_reason !== 'answered') {
    renderer.aside(`(${terminal.stop_reason})`)
  }
  console.log(paint('dim', `\n${receiptLine(terminal.receipt)}`))
  const made = outputs.paths()
  const lost = folder ? await saveFiles(server, threadId, made, folder) : 0
  if (!folder && made.length > 0) {
    for (const path of made) aside(`made: ${fullPath(path)}`)
    aside(`get them: ${again(server, threadId)} --save DIR`)
  }
  const status = terminal.type === 'run.completed' && lost === 0 ? 0 : 1
  return { status, threadId, options: terminal.stop_reason === 'awaiting_input' ? options : null }
}

/** The command that goes on with a thread. */
function again({ isUsual, url }: Server, threadId: string): string {
  return `npm run chat -- ${isUsual ? '' : `--url ${shellWord(url)} `}--thread ${threadId}`
}

/** How a call that nobody answered here is answered later. */
function sayHow(server: Server, threadId: string, toolUseId: string, name: string): void {
  const id = shellWord(toolUseId)
  console.log(`${oneLine(name)} waits for approval. Nothing was sent. Answer on the page, or with one of:`)
  console.log(`  ${again(server, threadId)} --approve ${id}`)
  console.log(`  ${again(server, threadId)} --deny ${id} --note "why"`)
}

export function aside(text: string): void {
  console.log(paint('dim', oneLine(text)))
}

/** What was typed or sent, so that it can be pasted again. */
function shellWord(word: string): string {
  const plain = oneLine(word)
  return /^[\w:/.-]+$/.test(plain) ? plain : shellQuote(plain)
}
