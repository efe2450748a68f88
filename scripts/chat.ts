// `npm run chat -- "question"`: streams answers into the terminal, takes files along and brings files back, and asks the
// person what the run asks. Exit status 0 completed, 1 failed or waiting for somebody, 2 usage.

import { fileURLToPath } from 'node:url'

import { START_PORT } from './limits.ts'
import { fullPath } from '../src/files/path.ts'
import { openAttachments, sendAttachments } from './chat/attach.ts'
import { saveFiles } from './chat/fetch.ts'
import { aside, converse } from './chat/converse.ts'
import { decide } from './chat/decide.ts'
import { OUTPUTS } from './chat/outputs.ts'
import { terminalLine } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { explainFailure, serverOf, type Server } from './lib/server.ts'

import type { ApprovalAnswer } from '../src/thread/api.ts'

const USAGE = `npm run chat -- "question" [options]

  --thread T    go on with this thread
  --file F      attach a file of this machine (repeatable)
  --save DIR    save the files that the answer gives you into DIR, never over others; with --thread and
                no question: all files in the thread's outputs
  --url U       the server (else SATCHEL_URL, else http://127.0.0.1:${START_PORT} or PORT's)
  --key K       a key (else SATCHEL_KEY, else ADMIN_KEY from the environment or .dev.vars)
  --approve ID  answer a call of --thread T that waits for approval, and follow its run
  --deny ID     the same, with no; --note N tells the agent why
  --remember R  with --approve: the same call goes unasked for this run, or this thread (run, thread)
  --thinking    show the model's thinking too`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      thread: { type: 'string' },
      file: { type: 'string', multiple: true, default: [] },
      save: { type: 'string' },
      url: { type: 'string' },
      key: { type: 'string' },
      approve: { type: 'string' },
      deny: { type: 'string' },
      note: { type: 'string' },
      remember: { type: 'string' },
      thinking: { type: 'boolean', default: false },
    },
  },
  async ({ values: flags, positionals }) => {
    const question = positionals.join(' ').trim()
    const { file: paths, save: folder } = flags
    const given = flags.thread === '' ? undefined : flags.thread
    if (folder === '') return '--save needs the name of a folder.'
    const fetches = folder !== undefined && given !== undefined && paths.length === 0
    const call = flags.approve ?? flags.deny
    const wrong = call === undefined ? unasked(flags) : misused(flags, question)
    if (wrong !== null) return wrong
    if (question === '' && !fetches && call === undefined) return 'What is the question?'
    const server = serverOf(ROOT, process.env, { url: flags.url, key: flags.key })
    if (!server.ok) return server.error
    const manner = { thinking: flags.thinking, folder, ask: terminalLine() }
    if (call !== undefined && given !== undefined)
      return decide(server.value, given, call, answerOf(flags), manner)
    if (question === '' && fetches) return fetchOutputs(server.value, given, folder)

    const attachments = await openAttachments(paths)
    if (!attachments.ok) return failed(attachments.error)
    let thread = given
    if (paths.length > 0) {
      const sent = await sendAttachments(server.value, thread, attachments.value)
      if (!sent.ok) return failed(sent.error)
      thread = sent.value.threadId
      for (const { path, bytes } of sent.value.files)
        aside(`attached: ${fullPath(path)} (${bytes.toLocaleString('en-US')} bytes)`)
    }

    return converse(server.value, thread, question, manner)
  },
)

interface Answering {
  readonly approve?: string | undefined
  readonly deny?: string | undefined
  readonly thread?: string | undefined
  readonly note?: string | undefined
  readonly remember?: string | undefined
}

function unasked({ note, remember }: Answering): string | null {
  return note === undefined && remember === undefined ? null : '--note and --remember go with an answer.'
}

/** What is wrong with an answer as it was given. */
function misused({ approve, deny, thread, note, remember }: Answering, question: string): string | null {
  if (approve !== undefined && deny !== undefined) return 'Either --approve or --deny.'
  if (!thread) return 'The answer needs --thread, the thread that waits.'
  if (question !== '') return 'An answer to a call takes no question.'
  if (note !== undefined && deny === undefined) return '--note goes with --deny.'
  if (remember === undefined) return null
  return isScope(remember) && approve !== undefined
    ? null
    : '--remember run or --remember thread goes with --approve.'
}

function answerOf({ approve, note, remember }: Answering): Omit<ApprovalAnswer, 'digest'> {
  const scope = remember !== undefined && isScope(remember) ? remember : null
  return { decision: approve === undefined ? 'deny' : 'approve', note: note || null, remember: scope }
}

function isScope(word: string): word is 'run' | 'thread' {
  return word === 'run' || word === 'thread'
}

/** Saves what a thread keeps in outputs/. */
async function fetchOutputs(server: Server, threadId: string, folder: string): Promise<number> {
  const files = await server.client.files(threadId, OUTPUTS)
  if (!files.ok) return failed(explainFailure(files.error, server.url))
  if (files.value.length === 0) aside(`There is nothing in ${fullPath(OUTPUTS)} of this thread.`)
  const paths = files.value.map(({ path }) => path)
  return (await saveFiles(server, threadId, paths, folder)) === 0 ? 0 : 1
}

function failed(why: string): 1 {
  complain(why)
  return 1
}
