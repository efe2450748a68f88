// `npm run skills:push`: builds the skills and sends what KV and R2 lack, locally or to the deployed stores.

import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { BUILD_DIGEST } from '../src/skills/build-digest.ts'
import { hasFailed, makeBuild } from './build/build.ts'
import { findingLines, summaryLine } from './build/report.ts'
import { readArgs } from './lib/args.ts'
import { seconds } from './lib/terminal.ts'
import type { PushTarget } from './push/push.ts'
import { pushBuild } from './push/push.ts'

const USAGE = `node scripts/push-skills.ts [options]

  --remote           to the deployed stores (else to the local ones of wrangler dev)
  --persist-to DIR   the local state folder, as for wrangler dev (.wrangler/state)
  --skills DIR       one more folder of skills beside skills/ (repeatable)
  --all              with --remote: send every file, whatever was noted as sent
  --help             this text

Only what is missing is sent. No local server may be running on the same state folder.`

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

async function main(argv: readonly string[]): Promise<number> {
  const args = readArgs({
    args: [...argv],
    options: {
      remote: { type: 'boolean', default: false },
      'persist-to': { type: 'string', default: join(ROOT, '.wrangler/state') },
      skills: { type: 'string', multiple: true, default: [] },
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (!args.ok) {
    console.error(`${args.error}\n\n${USAGE}`)
    return 2
  }
  const flags = args.value.values
  if (flags.help) {
    console.log(USAGE)
    return 0
  }
  const dirs = [join(ROOT, 'skills'), ...flags.skills].map((directory) => resolve(directory))
  const outcome = await makeBuild(dirs, false)
  console.log(summaryLine(outcome))
  if (hasFailed(outcome, false)) {
    for (const line of findingLines(outcome, process.cwd(), false)) console.error(line)
    return 1
  }
  if (outcome.build.digest !== BUILD_DIGEST)
    console.warn(
      'The Worker is built for other skills: run node scripts/build-skills.ts with the same folders first.',
    )
  const started = performance.now()
  const store = await openTarget(flags.remote, resolve(flags['persist-to']), flags.all)
  try {
    const sent = await pushBuild(outcome.build, store.target, (done, all) =>
      console.log(`  ${done} of ${all}`),
    )
    const what = `${sent.blobs} objects to R2 (${sent.bytes.toLocaleString('en-US')} bytes), ${sent.kv} entries to KV`
    console.log(`${flags.remote ? 'remote' : 'local'}: ${what} in ${seconds(performance.now() - started)}`)
    return 0
  } finally {
    await store.close()
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
