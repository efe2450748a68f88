// `npm run chat -- "question"`: streams one answer into the terminal, takes files along and brings files back. Exit status
// 0 completed, 1 failed, 2 usage.

import { fileURLToPath } from 'node:url'

import { randomToken } from '../src/lib/ids.ts'
import { START_PORT } from './limits.ts'
import { fullPath } from '../src/files/path.ts'
import { openAttachments, sendAttachments } from './chat/attach.ts'
import { saveFiles } from './chat/fetch.ts'
import { Outputs, OUTPUTS } from './chat/outputs.ts'
import { Renderer, receiptLine } from './chat/render.ts'
import { command, complain } from './lib/command.ts'
import { explainFailure, serverOf, type Server } from './lib/server.ts'
import { oneLine, paint } from './lib/terminal.ts'

const USAGE = `npm run chat -- "question" [options]

  --thread T    go on with this thread
  --file F      attach a file of this machine (repeatable)
  --save DIR    save the files that the answer gives you into DIR, never over others; with --thread and
                no question: all files in the thread's outputs
  --url U       the server (else SATCHEL_URL, else http://127.0.0.1:${START_PORT} or PORT's)
  --key K       a key (else SATCHEL_KEY, else ADMIN_KEY from the environment or .dev.vars)
  --thinking    show the model's thinking too`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What was typed, so that it can be pasted again. */
function shellWord(url: string): string {
  return /^[\w:/.-]+$/.test(url) ? url : `'${url.replaceAll("'", '%27')}'`
}

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
      thinking: { type: 'boolean', default: false },
    },
  },
  async ({ values: flags, positionals }) => {
    const question = positionals.join(' ').trim()
    const { file: paths, save: folder } = flags
    const given = flags.thread === '' ? undefined : flags.thread
    if (folder === '') return '--save needs the name of a folder.'
    const fetches = folder !== undefined && given !== undefined && paths.length === 0
    if (question === '' && !fetches) return 'What is the question?'
    const server = serverOf(ROOT, process.env, { url: flags.url, key: flags.key })
    if (!server.ok) return server.error
    if (question === '' && fetches) return fetchOutputs(server.value, given, folder)
    const { client, url, isUsual } = server.value

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

    const outputs = new Outputs()
    const renderer = new Renderer({
      write: (text) => process.stdout.write(text),
      thinking: flags.thinking,
    })
    const request = thread ? { message: question, thread_id: thread } : { message: question }
    const end = await client.chat(request, randomToken(32), {
      onEvent: (event) => {
        outputs.see(event)
        renderer.show(event)
      },
      onReconnect: (ms) => renderer.aside(`… the connection dropped; trying again in ${ms} ms`),
    })
    if (!end.ok) return failed(explainFailure(end.error, url))
    const { threadId, terminal } = end.value
    if (terminal.type !== 'run.completed') {
      const why = terminal.error ? `${terminal.error.code}: ${terminal.error.detail}` : terminal.stop_reason
      complain(`The run ended as ${terminal.type.slice('run.'.length)}: ${why}`)
    } else if (terminal.stop_reason !== 'answered') {
      renderer.aside(`(${terminal.stop_reason})`)
    }
    console.log(paint('dim', `\n${receiptLine(terminal.receipt)}`))
    const made = outputs.paths()
    const lost = folder ? await saveFiles(server.value, threadId, made, folder) : 0
    const again = `npm run chat -- ${isUsual ? '' : `--url ${shellWord(url)} `}--thread ${threadId}`
    if (!folder && made.length > 0) {
      for (const path of made) aside(`made: ${fullPath(path)}`)
      aside(`get them: ${again} --save DIR`)
    }
    aside(`go on: ${again} "…"`)
    return terminal.type === 'run.completed' && lost === 0 ? 0 : 1
  },
)

/** Saves what a thread keeps in outputs/. */
async function fetchOutputs(server: Server, threadId: string, folder: string): Promise<number> {
  const files = await server.client.files(threadId, OUTPUTS)
  if (!files.ok) return failed(explainFailure(files.error, server.url))
  if (files.value.length === 0) aside(`There is nothing in ${fullPath(OUTPUTS)} of this thread.`)
  const paths = files.value.map(({ path }) => path)
  return (await saveFiles(server, threadId, paths, folder)) === 0 ? 0 : 1
}

function aside(text: string): void {
  console.log(paint('dim', oneLine(text)))
}

function failed(why: string): 1 {
  complain(why)
  return 1
}
