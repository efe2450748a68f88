// `npm run skills:push`: builds the skills, sends what KV and R2 lack, locally or to the deployed stores, and
// writes the build's digest into a module of the Worker.

import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { BUILD_CACHE, buildSkills, DIGEST_MODULE } from './build/build-skills.ts'
import { writeDigestModule } from './build/digest-module.ts'
import { command, complain } from './lib/command.ts'
import { missingFolderMessage } from './lib/folders.ts'
import { throttled } from './lib/paced.ts'
import { formatDuration } from './lib/terminal.ts'
import { PROGRESS_INTERVAL_MS } from './lib/limits.ts'
import { err, ok, type Result } from '../src/lib/result.ts'
import type { Build } from './build/build.ts'
import { runningOn } from './start/state-file.ts'
import { pushBuild, type Progress, type PushTotals } from './push/push.ts'

const USAGE = `npm run skills:push -- [options]

  --remote           to the deployed stores (else to the local ones of wrangler dev)
  --persist-to DIR   the local state folder, as for wrangler dev (.wrangler/state)
  --skills DIR       one more folder of skills beside skills/ (repeatable)
  --env NAME         with --remote: to the deployment of that name (npm run deploy -- --env NAME)
  --all              with --remote: send every file, whatever was noted as sent
  --help             this text

Only what is missing is sent. Locally nothing is sent while npm start runs on the state folder: that sends edited skills by
itself, and two runtimes would ruin each other's databases. Status 0: sent, or all was there. 1: refused. 2: wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONFIG = join(ROOT, 'wrangler.toml')

/** A target: sends a build, and closes what it opened. */
interface Way {
  send(build: Build, progress: Progress): Promise<PushTotals>
  close(): Promise<void>
}

async function openLocalWay(persistTo: string): Promise<Way> {
  // Loaded on demand, as below: wrangler takes a second and a half.
  const { openLocal } = await import('./push/local-target.ts')
  const local = await openLocal(CONFIG, persistTo)
  return {
    send: async (build, progress) => pushBuild(build, local.target, progress),
    close: async () => local.close(),
  }
}

/** Fails with instructions. */
async function openRemoteWay(env: string | null, all: boolean): Promise<Result<Way, string>> {
  const [
    { openDeployment },
    { readLiveWorker },
    { findStores },
    { withStores, writeConfig },
    { sendRemote },
  ] = await Promise.all([
    import('./deploy/open.ts'),
    import('./deploy/live.ts'),
    import('./deploy/stores.ts'),
    import('./deploy/config.ts'),
    import('./push/send-remote.ts'),
  ])
  const deployment = await openDeployment(ROOT, env)
  if (!deployment.ok) return deployment
  const { config, run } = deployment.value
  const stores = await findStores(config, await readLiveWorker(run), run)
  const ids = Object.fromEntries(stores.flatMap(({ binding, id }) => (id === null ? [] : [[binding, id]])))
  const bucket = ids['RESOURCES']
  if (bucket === undefined || ids['SKILLS'] === undefined)
    return err(
      `${config.name} has no stores yet: npm run deploy${env === null ? '' : ` -- --env ${env}`} makes them.`,
    )
  writeConfig(ROOT, withStores(config, ids))
  const send: Way['send'] = async (build, progress) =>
    sendRemote(ROOT, build, { run, bucket, all, areNew: false }, progress)
  return ok({ send, close: async () => {} })
}

function refuse(why: string): number {
  complain(why)
  return 1
}

function inUse(persist: string, { pid, url }: NonNullable<ReturnType<typeof runningOn>>): string {
  return `Nothing was sent: Satchel runs on ${persist} (process ${pid}, ${url}).
It has each edit of its skills live within a second, without a push. For skills elsewhere start it with --skills DIR,
or publish them to it: npm run skills:publish -- DIR --url ${url}
To push all the same, stop it first, or name another state folder with --persist-to DIR.`
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
      return '--env names a deployed Satchel: it belongs to --remote.'
    const began = performance.now()
    const missing = missingFolderMessage(flags.skills)
    if (missing !== null) return missing
    const persist = resolve(flags['persist-to'])
    const running = flags.remote ? null : runningOn(persist)
    if (running !== null) return refuse(inUse(persist, running))
    const { build, failed } = await buildSkills({
      dirs: [join(ROOT, 'skills'), ...flags.skills],
      cacheFile: BUILD_CACHE,
      strict: false,
      log: (line) => console.log(line),
      reportProgress: (line) => console.error(line),
    })
    if (failed) return refuse('Nothing was sent: there are errors in skills/ (above).')
    const way = flags.remote
      ? await openRemoteWay(flags.env ?? null, flags.all)
      : ok(await openLocalWay(persist))
    if (!way.ok) return refuse(way.error)
    try {
      const shown = throttled(PROGRESS_INTERVAL_MS, (done: number, all: number) =>
        console.log(`  ${done} of ${all}`),
      )
      const sent = await way.value.send(build, shown)
      // Last: a Worker must only be deployed with a build that the stores have.
      await writeDigestModule(build.digest, DIGEST_MODULE)
      const what = `${sent.blobs} objects to R2 (${sent.bytes.toLocaleString('en-US')} bytes), ${sent.kv} entries to KV`
      console.log(
        `${flags.remote ? 'remote' : 'local'}: ${what} in ${formatDuration(performance.now() - began)}`,
      )
      return 0
    } finally {
      await way.value.close()
    }
  },
)
