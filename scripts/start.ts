// `npm start`: checks the arguments, generates missing secrets, checks that the port and the state folder are free, then
// supervises the server.

import { setTimeout as sleep } from 'node:timers/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Client } from '../src/client/client.ts'
import {
  HEALTH_POLL_MS,
  PORT_PAUSE_MS,
  PORT_TRIES,
  START_HANDOVER_MS,
  START_STOPPING_MAX_MS,
} from './start/limits.ts'
import { DEFAULT_PORT } from './lib/limits.ts'
import { variableFaults } from '../src/env/variables.ts'
import { readPort } from './lib/args.ts'
import { command, complain } from './lib/command.ts'
import { hasChangedSince, withSecrets } from './lib/dev-vars.ts'
import { findMissingFolder } from './lib/folders.ts'
import { bindablePort } from './lib/free-port.ts'
import { findAncestor, isAlive } from './lib/processes.ts'
import { harmlessLine, paint, formatDuration } from './lib/terminal.ts'
import { shownPath } from './lib/shown-path.ts'
import { banner, modelLine, pageLink } from './start/banner.ts'
import { claim, STATE_FOLDER, workerdOn, type Claim } from './lib/state-file.ts'
import { probe } from './start/probe.ts'
import { Supervisor } from './start/supervisor.ts'
import { USAGE } from './start/usage.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The model that the running Worker lists first, which is its default model. Null if it is unknown. */
async function defaultModel(url: string, key: string): Promise<string | null> {
  const client = new Client({ url, key, fetch, wait: (ms) => sleep(ms) })
  const models = await client.json<{ readonly data?: readonly { readonly id: string }[] }>(
    'GET',
    '/v1/models',
  )
  return models.ok ? harmlessLine(models.value.body.data?.[0]?.id ?? '') || null : null
}

/** Calls `stop` when npm has ended, because users see and stop npm's process. */
function stopWithNpm(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return
  const npm = findAncestor(/\bnpm(-cli\.js)?\b/)
  if (!npm) return
  setInterval(() => {
    if (!isAlive(npm)) stop()
  }, HEALTH_POLL_MS).unref()
}

/**
 * Claims the folder. The earlier process may be stopping, because it notices within half a second that its npm has
 * ended. A server that no longer responds gets more time.
 */
async function claimFromStopping(persist: string): Promise<Claim> {
  let owner = claim(persist)
  for (let waited = 0; owner.kind === 'in-use' && waited < START_STOPPING_MAX_MS; waited += HEALTH_POLL_MS) {
    if (waited >= START_HANDOVER_MS && (await probe(owner.port, HEALTH_POLL_MS)) !== null) break
    await sleep(HEALTH_POLL_MS)
    owner = claim(persist)
  }
  return owner
}

/** Reports that nothing was started. */
function refuse(why: string): number {
  complain(why)
  return 1
}

command(
  USAGE,
  {
    options: {
      port: { type: 'string' },
      'persist-to': { type: 'string' },
      skills: { type: 'string', multiple: true, default: [] },
      'allow-host': { type: 'string', multiple: true, default: [] },
      curl: { type: 'boolean', default: false },
    },
  },
  async ({ values: flags }) => {
    const skills = flags.skills.map((directory) => resolve(directory))
    const missing = findMissingFolder(skills)
    if (missing !== null) return missing
    const { variables, generated } = withSecrets(ROOT, process.env)
    if (generated.length > 0) console.log(paint('dim', `  generated in .dev.vars: ${generated.join(', ')}`))
    const { PORT, ...workerVariables } = variables
    const hosts = [workerVariables['PRIVATE_HOSTS'], ...flags['allow-host']].filter(Boolean).join(',')
    const bindings = { ...workerVariables, ...(hosts && { PRIVATE_HOSTS: hosts }) }
    const portOption = readPort(flags.port ?? PORT ?? String(DEFAULT_PORT), flags.port ? '--port' : 'PORT')
    if (!portOption.ok) return portOption.error
    const faults = variableFaults(bindings)
    if (faults.length > 0)
      return refuse(`${faults.join('\n')}\nFix it in the environment or in .dev.vars, then start again.`)
    const defaultFolder = join(ROOT, STATE_FOLDER)
    const persist = resolve(flags['persist-to'] ?? defaultFolder)

    // A stop deletes this record, so the server is running, stopping or was killed.
    const hasEarlierServer = workerdOn(persist) !== null
    const owner = await claimFromStopping(persist)
    if (owner.kind === 'unknown') return refuse(owner.reason)
    if (owner.kind === 'in-use') {
      const newer = hasChangedSince(ROOT, owner.startedMs)
        ? `\n.dev.vars was changed after it started. To use the change, stop it and start it again.`
        : ''
      return refuse(
        `Satchel is already running. Open this link:\n  ${pageLink(`http://127.0.0.1:${owner.port}`, variables.ADMIN_KEY)}\nIts process ${owner.pid} uses ${persist}. For a second server, use another folder with --persist-to DIR.${newer}`,
      )
    }
    if (owner.kind === 'taken-over')
      console.log(paint('dim', `  ended workerd (process ${owner.pid}) of an earlier run that was killed`))
    let port = await bindablePort(portOption.value)
    // The system needs a moment to free the port of an ended process, and seconds on a busy machine.
    let tries = 0
    for (; port === null && hasEarlierServer && tries < PORT_TRIES; tries++) {
      await sleep(PORT_PAUSE_MS)
      port = await bindablePort(portOption.value)
    }
    if (port === null)
      return refuse(
        `Port ${portOption.value} is in use by another program. Choose another port with PORT=${portOption.value + 1} npm start, or any free port with npm start -- --port 0`,
      )

    if (tries > 0 && claim(persist).kind === 'in-use')
      return refuse(
        `Another npm start has begun to use ${persist}. Use it, or another folder with --persist-to DIR.`,
      )

    const url = `http://127.0.0.1:${port}`
    const supervisor = new Supervisor(
      {
        root: ROOT,
        entry: 'src/index.ts',
        port,
        persist,
        skills,
        bindings,
        adminKey: variables.ADMIN_KEY,
      },
      {
        progress: (text, ms) => console.log(paint('dim', `  ${text} (${formatDuration(ms)})`)),
        note: (text) => console.log(text),
        ready: () => {
          console.log(paint('dim', `  ready ${formatDuration(performance.now())} after npm start`))
          void defaultModel(url, variables.ADMIN_KEY).then((model) =>
            console.log(
              banner({
                url,
                adminKey: variables.ADMIN_KEY,
                model: modelLine(variables, model),
                isFound: persist === defaultFolder,
                showsCurl: flags.curl,
              }),
            ),
          )
        },
      },
    )
    let stopping = false
    const stop = (): void => {
      if (!stopping) console.log('\n  Stopping. Unfinished runs continue at the next start.')
      stopping = true
      supervisor.stop()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    stopWithNpm(stop)
    const status = await supervisor.run()
    if (stopping)
      console.log(`  Stopped. Threads and files are kept in ${shownPath(persist, process.cwd())}.`)
    // Exits explicitly: timers of a stopped server would keep the process alive.
    process.exit(status)
  },
)
