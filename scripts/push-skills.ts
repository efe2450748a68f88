// `npm run skills:push`: builds the skills, sends the missing objects to the local or the deployed stores, and writes the
// build's digest to a module of the Worker.

import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { BUILD_CACHE, buildSkills, DIGEST_MODULE } from './build/build-skills.ts'
import { writeDigestModule } from './build/digest-module.ts'
import { terminalLineReader } from './lib/ask.ts'
import { command, complain } from './lib/command.ts'
import { findMissingFolder } from './lib/folders.ts'
import { throttled } from './lib/paced.ts'
import { formatDuration } from './lib/terminal.ts'
import { PROGRESS_INTERVAL_MS } from './lib/limits.ts'
import { err, ok, type Result } from '../src/lib/result.ts'
import type { Build } from './build/build.ts'
import { damagedStateFile, runningOn } from './lib/state-file.ts'
import { pushBuild, type Progress, type PushTotals } from './push/push.ts'

const USAGE = `npm run skills:push -- [options]

  --remote           send to the deployed stores instead of the local stores of wrangler dev
  --persist-to DIR   the local state folder, as for wrangler dev (default: .wrangler/state)
  --skills DIR       another folder of skills, in addition to skills/ (repeatable)
  --env NAME         with --remote: the name of the deployment (npm run deploy -- --env NAME)
  --all              with --remote: send every file, even if it was sent before
  --help             show this text

Sends only missing objects. Refuses a local push while npm start uses the state folder: npm start sends edited skills itself, and
two runtimes would corrupt each other's databases. Exit status: 0 sent, or nothing was missing; 1 refused; 2 wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONFIG = join(ROOT, 'wrangler.toml')

/** An open destination for builds, which must be closed. */
interface Destination {
  send(build: Build, progress: Progress): Promise<PushTotals>
  close(): Promise<void>
}

async function openLocalDestination(persistTo: string): Promise<Destination> {
  // Imported on demand, as below, because loading wrangler takes a second and a half.
  const { openLocal } = await import('./push/local-target.ts')
  const local = await openLocal(CONFIG, persistTo)
  return {
    send: async (build, progress) => pushBuild(build, local.target, progress),
    close: async () => local.close(),
  }
}

/** Opens the deployed stores. Fails with instructions. */
async function openRemoteDestination(env: string | null, all: boolean): Promise<Result<Destination, string>> {
  const [
    { openDeployment },
    { findAccount, logIn, remoteOf },
    { readLiveWorker },
    { findStores },
    { withStores, writeConfig },
    { sendRemote },
  ] = await Promise.all([
    import('./deploy/open.ts'),
    import('./deploy/account.ts'),
    import('./deploy/live.ts'),
    import('./deploy/stores.ts'),
    import('./deploy/config.ts'),
    import('./push/send-remote.ts'),
  ])
  const deployment = await openDeployment(ROOT, env)
  if (!deployment.ok) return deployment
  const { config, run } = deployment.value
  const { CLOUDFLARE_ACCOUNT_ID: given, CLOUDFLARE_API_TOKEN: token } = process.env
  const api = await logIn(run, { fetch, environment: process.env, wait: (ms) => sleep(ms) })
  if (!api.ok) return api
  const login = { accountId: config.account_id ?? (given || null), hasToken: Boolean(token) }
  const account = await findAccount(api.value, login, terminalLineReader(), (line) => console.log(line))
  if (!account.ok) return account
  const remote = remoteOf(api.value, account.value.id, config.name)
  const stores = await findStores(config, await readLiveWorker(remote), remote)
  const ids = Object.fromEntries(stores.flatMap(({ binding, id }) => (id === null ? [] : [[binding, id]])))
  const { RESOURCES: bucket, SKILLS: namespace } = ids
  if (bucket === undefined || namespace === undefined)
    return err(
      `${config.name} has no stores yet. To create them, run npm run deploy${env === null ? '' : ` -- --env ${env}`}`,
    )
  writeConfig(ROOT, withStores(config, ids))
  const send: Destination['send'] = async (build, progress) =>
    sendRemote(ROOT, build, { ...remote, namespace, bucket, all, areNew: false }, progress)
  return ok({ send, close: async () => {} })
}

function refuse(why: string): number {
  complain(why)
  return 1
}

function inUse(persist: string, { pid, url }: NonNullable<ReturnType<typeof runningOn>>): string {
  return `Nothing was sent: Satchel is running on ${persist} (process ${pid}, ${url}).
Edits of its skills are live within a second, without a push. For skills in another folder, start it with --skills DIR,
or publish them: npm run skills:publish -- DIR --url ${url}
To push anyway, stop Satchel first, or use another state folder with --persist-to DIR.`
}

command(
  USAGE,
  {
    options: {
      remote: { type: 'boolean', default: false },
      'persist-to': { type: 'string', default: join(ROOT, '.wrangler/state') },
      skills: { type: 'string', multiple: true, default: [] },
      env: { type: 'string' },
      all: { type: 'boolean', default: false },
    },
  },
  async ({ values: flags }) => {
    if (flags.env !== undefined && !flags.remote)
      return '--env names a deployment. Use it together with --remote.'
    const startedMs = performance.now()
    const missing = findMissingFolder(flags.skills)
    if (missing !== null) return missing
    const persist = resolve(flags['persist-to'])
    const running = flags.remote ? null : runningOn(persist)
    if (running !== null) return refuse(inUse(persist, running))
    const damaged = flags.remote ? null : damagedStateFile(persist)
    if (damaged !== null) return refuse(`Nothing was sent: ${damaged}`)
    const { build, failed } = await buildSkills({
      dirs: [join(ROOT, 'skills'), ...flags.skills],
      cacheFile: BUILD_CACHE,
      strict: false,
      log: (line) => console.log(line),
      reportProgress: (line) => console.error(line),
    })
    if (failed) return refuse('Nothing was sent. Fix the errors above in skills/ first.')
    const destination = flags.remote
      ? await openRemoteDestination(flags.env ?? null, flags.all)
      : ok(await openLocalDestination(persist))
    if (!destination.ok) return refuse(destination.error)
    try {
      const reportProgress = throttled(PROGRESS_INTERVAL_MS, (done: number, all: number) =>
        console.log(`  ${done} of ${all}`),
      )
      const sent = await destination.value.send(build, reportProgress)
      // Must be the last step, because a Worker must only be deployed with a build that the stores contain.
      await writeDigestModule(build.digest, DIGEST_MODULE)
      const summary = `${sent.blobs} objects to R2 (${sent.bytes.toLocaleString('en-US')} bytes), ${sent.kv} entries to KV`
      console.log(
        `${flags.remote ? 'remote' : 'local'}: ${summary} in ${formatDuration(performance.now() - startedMs)}`,
      )
      return 0
    } finally {
      await destination.value.close()
    }
  },
)
