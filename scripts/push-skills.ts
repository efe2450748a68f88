// `npm run skills:push`: builds the skills, sends what KV and R2 lack, locally or to the deployed stores, and writes the
// build's digest into the module that is compiled into the Worker.

import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { BUILD_CACHE, buildSkills, DIGEST_MODULE } from './build-skills.ts'
import { writeDigestModule } from './build/digest-module.ts'
import { command, complain } from './lib/command.ts'
import { missingFolder } from './lib/folders.ts'
import { paced } from './lib/paced.ts'
import { seconds } from './lib/terminal.ts'
import { PROGRESS_MS } from './limits.ts'
import { runningOn } from './start/state-file.ts'
import type { PushTarget } from './push/push.ts'
import { pushBuild } from './push/push.ts'

const USAGE = `npm run skills:push -- [options]

  --remote           to the deployed stores (else to the local ones of wrangler dev)
  --persist-to DIR   the local state folder, as for wrangler dev (.wrangler/state)
  --skills DIR       one more folder of skills beside skills/ (repeatable)
  --all              with --remote: send every file, whatever was noted as sent
  --help             this text

Only what is missing is sent. Locally nothing is sent while npm start runs on the state folder: that sends edited skills by
itself, and two runtimes would ruin each other's databases. Status 0: sent, or all was there. 1: refused. 2: wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONFIG = join(ROOT, 'wrangler.toml')

interface Buckets {
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name?: string }[]
}

async function openTarget(
  remote: boolean,
  persistTo: string,
  all: boolean,
): Promise<{ readonly target: PushTarget; close(): Promise<void> }> {
  // Loaded on demand: wrangler takes a second and a half.
  if (!remote) return (await import('./push/local-target.ts')).openLocal(CONFIG, persistTo)
  const [{ remoteTarget }, { wranglerIn }, { unstable_readConfig: readConfig }] = await Promise.all([
    import('./push/remote-target.ts'),
    import('./push/wrangler-command.ts'),
    import('wrangler'),
  ])
  const config: Buckets = readConfig({ config: CONFIG }, { hideWarnings: true })
  const bucket = config.r2_buckets.find(({ binding }) => binding === 'RESOURCES')?.bucket_name
  if (bucket === undefined) throw new Error('wrangler.toml names no bucket for RESOURCES.')
  const ledger = join(ROOT, `.wrangler/pushed-${bucket}.json`)
  return { target: remoteTarget({ run: wranglerIn(ROOT), bucket, ledger, all }), close: async () => {} }
}

function refuse(why: string): number {
  complain(why)
  return 1
}

function inUse(persist: string, { pid, url }: NonNullable<ReturnType<typeof runningOn>>): string {
  return `Nothing was sent: Satchel runs on ${persist} (process ${pid}, ${url}).
It has each edit of its skills live within a second, without a push. For skills elsewhere start it with --skills DIR,
or publish them to it: npm run skills:publish -- DIR --to ${url}
To push all the same, stop it first, or name another state folder with --persist-to DIR.`
}

command(
  USAGE,
  {
    options: {
      remote: { type: 'boolean', default: false },
      'persist-to': { type: 'string', default: join(ROOT, '.wrangler/state') },
      skills: { type: 'string', multiple: true, default: [] },
      all: { type: 'boolean', default: false },
    },
  },
  async ({ values: flags }) => {
    const began = performance.now()
    const missing = missingFolder(flags.skills)
    if (missing !== null) return missing
    const persist = resolve(flags['persist-to'])
    const running = flags.remote ? null : runningOn(persist)
    if (running !== null) return refuse(inUse(persist, running))
    const { build, failed } = await buildSkills({
      dirs: [join(ROOT, 'skills'), ...flags.skills],
      cacheFile: BUILD_CACHE,
      strict: false,
      log: (line) => console.log(line),
      tell: (line) => console.error(line),
    })
    if (failed) return refuse('Nothing was sent: there are errors in skills/ (above).')
    const store = await openTarget(flags.remote, persist, flags.all)
    try {
      const shown = paced(PROGRESS_MS, (done: number, all: number) => console.log(`  ${done} of ${all}`))
      const sent = await pushBuild(build, store.target, shown)
      // Only now: a Worker may be deployed with a build that is there, and with no other.
      await writeDigestModule(build.digest, DIGEST_MODULE)
      const what = `${sent.blobs} objects to R2 (${sent.bytes.toLocaleString('en-US')} bytes), ${sent.kv} entries to KV`
      console.log(`${flags.remote ? 'remote' : 'local'}: ${what} in ${seconds(performance.now() - began)}`)
      return 0
    } finally {
      await store.close()
    }
  },
)
