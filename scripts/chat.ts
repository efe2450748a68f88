// `npm run chat`: a conversation in the terminal, or one answer to a question. Sends and saves files, and relays the
// run's questions to the user. Each part is implemented in scripts/chat/.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { fullPath } from '../src/files/path.ts'
import { START_PORT } from './lib/limits.ts'
import { openAttachments, sendAttachments } from './chat/attach.ts'
import { conversation } from './chat/conversation.ts'
import { converse } from './chat/converse.ts'
import { decideCall } from './chat/decide.ts'
import { saveFiles } from './chat/fetch.ts'
import { approvalChoice, wrongFlags } from './chat/flags.ts'
import { InputHistory } from './chat/history.ts'
import { answerJson, printedError } from './chat/json.ts'
import { OUTPUTS } from './chat/outputs.ts'
import { readStdin } from './chat/stdin.ts'
import { atTerminal, withSignals } from './chat/terminal.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { explainFailure, type Server } from './lib/server.ts'
import { harmlessLine } from './lib/terminal.ts'
import { ok, type Result } from '../src/lib/result.ts'

const USAGE = `npm run chat                          a conversation
npm run chat -- "question" [options]  one answer; - in the question: standard input goes behind it
echo "question" | npm run chat        the same, from standard input

  --thread T    go on with this thread
  --file F      attach a file of this machine (repeatable)
  --save DIR    save the files that the answer gives you into DIR, never over others; with --thread and
                no question: all files in the thread's outputs
  --json        one JSON object on standard output, for scripts; asks nobody (npm run -s chat -- --json …):
                {thread_id, run_id, status, stop_reason, text, question?, files, error?, receipt},
                {thread_id, run_id, status: "waiting", approvals} where it waits for a person,
                {error: {code, detail, …}} where nothing began
  --url U       the server (else SATCHEL_URL, else http://127.0.0.1:${START_PORT} or PORT's)
  --key K       the key, which lists of processes show then: rather set SATCHEL_KEY. Without either it is, for
                the server of this machine, the ADMIN_KEY of the environment or .dev.vars; else it is asked for
  --approve ID  answer a call of --thread T that waits for approval, and follow its run; needs --digest D, of
                the request that you looked at
  --deny ID     the same, with no; --note N tells the agent why
  --remember R  with --approve: allows the same call for this run, or this thread, without asking (run, thread)
  --thinking    show the model's thinking too
  --help        this text

In a conversation /help lists its commands: /skills, /threads, /open, /new, /files, /attach, /save, /cost, /exit;
/NAME calls a skill. A line that ends in \\ goes on in the next one. Ctrl-C stops an answer; again, it leaves.
History is stored in .wrangler/state/chat-history, or in the file SATCHEL_HISTORY (empty: not stored); keys are not.
NO_COLOR and TERM=dumb are heard; what is no terminal gets the plain text.

Status 0: answered, or left. 1: refused, failed, stopped, or waiting for somebody. 2: wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const IS_JSON = process.argv.slice(2).includes('--json')

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      thread: { type: 'string' },
      file: { type: 'string', multiple: true, default: [] },
      save: { type: 'string' },
      json: { type: 'boolean', default: false },
      url: { type: 'string' },
      key: { type: 'string' },
      approve: { type: 'string' },
      deny: { type: 'string' },
      digest: { type: 'string' },
      note: { type: 'string' },
      remember: { type: 'string' },
      thinking: { type: 'boolean', default: false },
    },
  },
  async ({ values: flags, positionals }) => {
    const { file: paths, save: folder, thinking } = flags
    const given = flags.thread === '' ? undefined : flags.thread
    const call = flags.approve ?? flags.deny
    const wrong = wrongFlags(flags, positionals.join(' ').trim())
    if (wrong !== null) return wrong
    const fetches = folder !== undefined && given !== undefined && paths.length === 0
    const talks = process.stdin.isTTY && process.stdout.isTTY && !flags.json
    const sendsMessage = call === undefined && !(positionals.length === 0 && (talks || fetches))
    const question = sendsMessage ? await questionOf(positionals) : ok('')
    if (!question.ok) return failed(question.error)
    if (sendsMessage && question.value === '') return 'What is the question?'
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    if (call === undefined && question.value === '' && fetches)
      return fetchOutputs(server.value, given, folder)

    const attachments = await openAttachments(paths)
    if (!attachments.ok) return failed(attachments.error)
    let thread = given
    const attached: string[] = []
    if (paths.length > 0) {
      const sent = await sendAttachments(server.value, thread, attachments.value)
      if (!sent.ok) return failed(sent.error)
      thread = sent.value.threadId
      for (const { path, bytes } of sent.value.files)
        attached.push(`attached: ${fullPath(path)} (${bytes.toLocaleString('en-US')} bytes)`)
    }

    if (flags.json)
      return withSignals((interrupts) => answerJson(server.value, thread, question.value, interrupts))
    return atTerminal({ thinking, folder }, async (manner, keyboard) => {
      for (const line of attached) manner.screen.line(harmlessLine(line), 'dim')
      if (call !== undefined && given !== undefined)
        return decideCall(server.value, given, call, approvalChoice(flags), flags.digest ?? null, manner)
      if (question.value !== '' || keyboard === null)
        return converse(server.value, thread, question.value, manner)
      const { key } = server.value
      const history = new InputHistory(historyFile(process.env['SATCHEL_HISTORY']), [key])
      return conversation(server.value, thread, { manner, keyboard, history })
    })
  },
  IS_JSON
    ? { failed: (why) => printedError('failed', why), misused: (why) => printedError('usage', why) }
    : undefined,
)

/** The question from the command line; standard input if there is none, or where it says `-`. */
async function questionOf(positionals: readonly string[]): Promise<Result<string, string>> {
  const fromArguments = positionals
    .filter((word) => word !== '-')
    .join(' ')
    .trim()
  if (positionals.length > 0 && !positionals.includes('-')) return ok(fromArguments)
  const text = await readStdin(process.stdin)
  return text.ok ? ok([fromArguments, text.value].filter((part) => part.trim() !== '').join('\n\n')) : text
}

/** Null: history is not stored. */
function historyFile(named: string | undefined): string | null {
  return named === undefined ? join(ROOT, '.wrangler/state/chat-history') : named || null
}

/** Saves the files in outputs/ of a thread. */
async function fetchOutputs(server: Server, threadId: string, folder: string): Promise<number> {
  const files = await server.client.files(threadId, OUTPUTS)
  if (!files.ok) return failed(explainFailure(files.error, server.url))
  if (files.value.length === 0) console.log(`There is nothing in ${fullPath(OUTPUTS)} of this thread.`)
  const paths = files.value.map(({ path }) => path)
  return (await saveFiles(server, threadId, paths, folder)) === 0 ? 0 : 1
}

function failed(why: string): 1 {
  if (IS_JSON) printedError('failed', why)
  else complain(why)
  return 1
}
