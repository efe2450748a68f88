// `npm run chat`: holds a conversation in the terminal, or answers one question. Sends and saves files, and
// relays the run's questions to the user. The parts are implemented in scripts/chat/.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { fullPath } from '../src/files/path.ts'
import { openAttachments, sendAttachments } from './chat/attach.ts'
import { runConversation } from './chat/conversation.ts'
import { askOnce } from './chat/ask-once.ts'
import { decideCall } from './chat/decide.ts'
import { saveFiles } from './chat/download.ts'
import { approvalChoice, findFlagError } from './chat/flags.ts'
import { InputHistory } from './chat/history.ts'
import { findLastThread } from './chat/last-thread.ts'
import { askAsJson, printJsonError } from './chat/json.ts'
import { OUTPUTS_PREFIX } from './chat/outputs.ts'
import { readStdin } from './chat/stdin.ts'
import { withInterrupts, withTerminal } from './chat/terminal.ts'
import { command, complain } from './lib/command.ts'
import { serverFor } from './lib/secret.ts'
import { explainFailure, type Server } from './lib/server.ts'
import { harmlessLine } from './lib/terminal.ts'
import { ok, type Result } from '../src/lib/result.ts'

const USAGE = `npm run chat                          start a conversation
npm run chat -- "question" [options]  ask one question; with - in it, standard input is appended
echo "question" | npm run chat        ask the question on standard input

  --thread T    continue this thread
  --last        continue your last thread
  --plan        a new thread keeps a plan: a list of steps that the agent shows as it works
  --file F      attach a file from this machine (repeatable)
  --save DIR    save the files that the answer creates in DIR, without overwriting files; with --thread and
                no question, save all files in the thread's outputs
  --json        print one JSON object, for scripts, and ask nothing (npm run -s chat -- --json …):
                {thread_id, run_id, status, stop_reason, text, question?, files, error?, receipt},
                {thread_id, run_id, status: "waiting", approvals} if the run waits for approval,
                {error: {code, detail, …}} if no run started
  --url U       the server (default: SATCHEL_URL, otherwise the running npm start of this folder)
  --key K       the key; process lists show it, so prefer SATCHEL_KEY. The default for the server on this
                machine is the ADMIN_KEY from the environment or .dev.vars; for others you are asked
  --approve ID  approve a waiting call of --thread T, and follow its run; requires --digest D, the digest of
                the request that you reviewed
  --deny ID     deny a waiting call of --thread T, and follow its run; --note N tells the agent why
  --remember R  with --approve: for the rest of this run or thread, allow the same call without
                asking (R is run or thread)
  --thinking    also show the model's thinking
  --help        show this text

In a conversation, /help lists the commands: /skills, /threads, /open, /new, /files, /attach, /save, /plan,
/cost, /compact, /summary, /model, /steer and /exit. /NAME calls a skill. End a line with \\ to continue on the next one.
Esc or Ctrl-C stops an answer; press Ctrl-C again to leave. The history is stored in .wrangler/state/chat-history, or in the file named by
SATCHEL_HISTORY (if that is empty, it is not stored). Messages that look like keys are never stored.
Set NO_COLOR or TERM=dumb for output without styles.

Exit status: 0 answered or left; 1 refused, failed, stopped, or waiting for approval; 2 wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const IS_JSON = process.argv.slice(2).includes('--json')

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      thread: { type: 'string' },
      last: { type: 'boolean', default: false },
      file: { type: 'string', multiple: true, default: [] },
      plan: { type: 'boolean', default: false },
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
    const { file: paths, save: outputFolder, thinking, plan } = flags
    const namesThread = flags.last || Boolean(flags.thread)
    const callId = flags.approve ?? flags.deny
    const flagError = findFlagError(flags, positionals.join(' ').trim())
    if (flagError !== null) return flagError
    const mayDownload = outputFolder !== undefined && namesThread && paths.length === 0
    const isInteractive = process.stdin.isTTY && process.stdout.isTTY && !flags.json
    const sendsMessage = callId === undefined && !(positionals.length === 0 && (isInteractive || mayDownload))
    const question = sendsMessage ? await readQuestion(positionals) : ok('')
    if (!question.ok) return failed(question.error)
    if (sendsMessage && question.value === '')
      return 'The question is empty. Write it as an argument, or pipe it to standard input.'
    const server = await serverFor(ROOT, process.env, flags)
    if (!server.ok) return server.error
    const found = flags.last ? await findLastThread(server.value) : ok(flags.thread || undefined)
    if (!found.ok) return failed(found.error)
    const threadFlag = found.value
    if (callId === undefined && question.value === '' && mayDownload && threadFlag !== undefined)
      return downloadOutputs(server.value, threadFlag, outputFolder)

    const attachments = await openAttachments(paths)
    if (!attachments.ok) return failed(attachments.error)
    let thread = threadFlag
    const attached: string[] = []
    if (paths.length > 0) {
      const sent = await sendAttachments(server.value, thread, attachments.value)
      if (!sent.ok) return failed(sent.error)
      thread = sent.value.threadId
      for (const { path, bytes } of sent.value.files)
        attached.push(`attached: ${fullPath(path)} (${bytes.toLocaleString('en-US')} bytes)`)
    }

    if (flags.json)
      return withInterrupts((interrupts) => askAsJson(server.value, thread, question.value, plan, interrupts))
    return withTerminal({ showsThinking: thinking, outputFolder }, async (terminal, keyboard) => {
      for (const line of attached) terminal.screen.line(harmlessLine(line), 'dim')
      if (callId !== undefined && threadFlag !== undefined)
        return decideCall(
          server.value,
          threadFlag,
          callId,
          approvalChoice(flags),
          flags.digest ?? null,
          terminal,
        )
      if (question.value !== '' || keyboard === null)
        return askOnce(server.value, thread, question.value, plan, terminal)
      const { key } = server.value
      const history = new InputHistory(historyFile(process.env['SATCHEL_HISTORY']), [key])
      return runConversation(server.value, thread, {
        terminal,
        keyboard,
        history,
        keepsPlan: plan,
        beginsThread: threadFlag === undefined,
      })
    })
  },
  IS_JSON
    ? { failed: (why) => printJsonError('failed', why), misused: (why) => printJsonError('usage', why) }
    : undefined,
)

/**
 * The question from the command line. Standard input replaces a missing question, and is appended if one
 * argument is `-`.
 */
async function readQuestion(positionals: readonly string[]): Promise<Result<string, string>> {
  const fromArguments = positionals
    .filter((word) => word !== '-')
    .join(' ')
    .trim()
  if (positionals.length > 0 && !positionals.includes('-')) return ok(fromArguments)
  const text = await readStdin(process.stdin)
  return text.ok ? ok([fromArguments, text.value].filter((part) => part.trim() !== '').join('\n\n')) : text
}

/** The path of the history file, or null if the history is not stored. */
function historyFile(setting: string | undefined): string | null {
  return setting === undefined ? join(ROOT, '.wrangler/state/chat-history') : setting || null
}

/** Saves the files in outputs/ of a thread. */
async function downloadOutputs(server: Server, threadId: string, folder: string): Promise<number> {
  const files = await server.client.listFiles(threadId, OUTPUTS_PREFIX)
  if (!files.ok) return failed(explainFailure(files.error, server.url))
  if (files.value.length === 0) console.log(`This thread has no files in ${fullPath(OUTPUTS_PREFIX)}.`)
  const paths = files.value.map(({ path }) => path)
  return (await saveFiles(server, threadId, paths, folder)) === 0 ? 0 : 1
}

function failed(why: string): 1 {
  if (IS_JSON) printJsonError('failed', why)
  else complain(why)
  return 1
}
