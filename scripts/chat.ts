// `npm run chat -- "question"`: streams one answer into the terminal. Exit status 0 completed, 1 failed, 2 usage.

import { fileURLToPath } from 'node:url'

import { randomToken } from '../src/lib/ids.ts'
import { START_PORT } from './limits.ts'
import { Renderer, receiptLine } from './chat/render.ts'
import { command, complain } from './lib/command.ts'
import { explainFailure, serverOf } from './lib/server.ts'
import { oneLine, paint } from './lib/terminal.ts'

const USAGE = `npm run chat -- "question" [options]

  --thread T    go on with this thread
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
      url: { type: 'string' },
      key: { type: 'string' },
      thinking: { type: 'boolean', default: false },
    },
  },
  async ({ values: flags, positionals }) => {
    const question = positionals.join(' ').trim()
    if (question === '') return 'What is the question?'
    const server = serverOf(ROOT, process.env, { url: flags.url, key: flags.key })
    if (!server.ok) return server.error
    const { client, url, isUsual } = server.value

    const renderer = new Renderer({
      write: (text) => process.stdout.write(text),
      thinking: flags.thinking,
    })
    const request = flags.thread ? { message: question, thread_id: flags.thread } : { message: question }
    const end = await client.chat(request, randomToken(32), {
      onEvent: (event) => renderer.show(event),
      onReconnect: (ms) => renderer.aside(`… the connection dropped; trying again in ${ms} ms`),
    })
    if (!end.ok) {
      complain(explainFailure(end.error, url))
      return 1
    }
    const { threadId, terminal } = end.value
    if (terminal.type !== 'run.completed') {
      const why = terminal.error ? `${terminal.error.code}: ${terminal.error.detail}` : terminal.stop_reason
      complain(`The run ended as ${terminal.type.slice('run.'.length)}: ${why}`)
    } else if (terminal.stop_reason !== 'answered') {
      renderer.aside(`(${terminal.stop_reason})`)
    }
    console.log(paint('dim', `\n${receiptLine(terminal.receipt)}`))
    const at = isUsual ? '' : `--url ${shellWord(url)} `
    console.log(paint('dim', oneLine(`go on: npm run chat -- ${at}--thread ${threadId} "…"`)))
    return terminal.type === 'run.completed' ? 0 : 1
  },
)
