// Bundles and uploads the Worker with wrangler. Leaves out the loader of isolates if the plan has none, and skips
// the upload if the live Worker is equal.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'

import { WranglerError, type RunWrangler } from '../lib/wrangler.ts'
import { withoutLoader, writeConfig, type Config } from './config.ts'

const Output = z.object({
  type: z.literal('deploy'),
  targets: z.array(z.string()).optional(),
  bundle_size: z.object({ gzip_bytes: z.number() }).optional(),
})

export interface Bundle {
  readonly gzipBytes: number
  /** Static files: the page and the runtimes. */
  readonly assets: number
  /** The Worker's own module. */
  readonly code: string
}

export interface UploadResult {
  /** Its targets as wrangler names them: hosts, or patterns of routes. */
  readonly targets: readonly string[]
  /** False: the plan has no loader of isolates, so commands cannot run. */
  readonly hasSandbox: boolean
  /** False: an equal Worker was live already. */
  readonly isNew: boolean
}

/**
 * Needs no login and no network. `report` receives each line of the static files' build. Rejects with the bundler's
 * message.
 */
export async function bundle(run: RunWrangler, report: (line: string) => void): Promise<Bundle> {
  return inFolder(async (folder) => {
    const { out, output } = await deploying(run, ['--dry-run', '--outdir', folder], (line) => {
      const [, building = ''] = /^\[custom build\] (.*)/.exec(line) ?? []
      if (/\S/.test(building) && !building.startsWith('Running:')) report(building)
    })
    const assets = Number(/Read (\d+) files? from the assets directory/.exec(out)?.[1] ?? 0)
    const code = await readFile(join(folder, 'index.js'), 'utf8')
    return { gzipBytes: output?.bundle_size?.gzip_bytes ?? 0, assets, code }
  })
}

export interface WorkerUpload {
  readonly root: string
  /** The configuration that wrangler reads. */
  readonly config: Config
  readonly run: RunWrangler
  /** The stamp of the upload (stamp.ts), and of the live Worker; null if there is none, or to upload in any case. */
  readonly stamp: string
  readonly live: string | null
  /** Receives each line of wrangler's output. */
  readonly heard: (line: string) => void
}

/** Uploads and activates, or rejects with wrangler's message: then the live version is unchanged. */
export async function upload(what: WorkerUpload): Promise<UploadResult> {
  const { root, config, stamp, live } = what
  const hasSandbox = config.worker_loaders !== undefined
  if (live === stamp) return reachable(what, hasSandbox)
  try {
    return await uploading(what, stamp, hasSandbox)
  } catch (error) {
    if (!hasSandbox || !lacksThePlan(error)) throw error
  }
  writeConfig(root, withoutLoader(config))
  const bare = `${stamp}-bare`
  return live === bare ? reachable(what, false) : uploading(what, bare, false)
}

async function uploading(
  { run, heard }: WorkerUpload,
  stamp: string,
  hasSandbox: boolean,
): Promise<UploadResult> {
  const { output } = await deploying(run, ['--var', `DEPLOYED_AS:${stamp}`], heard)
  return { targets: output?.targets ?? [], hasSandbox, isNew: true }
}

/** Only sets up the addresses: an earlier command may have ended between upload and addresses. */
async function reachable({ run }: WorkerUpload, hasSandbox: boolean): Promise<UploadResult> {
  const out = await run(['triggers', 'deploy'])
  const targets = [...out.matchAll(/^ {2}(\S.*)$/gm)].map(([, target = '']) => target)
  return { targets, hasSandbox, isNew: false }
}

const PAID_PLAN_NEEDED = 10_195
const BINDING_INVALID = 10_021

/** Cloudflare reports this in two ways; the second for plans that do not know the binding. */
function lacksThePlan(error: unknown): boolean {
  if (!(error instanceof WranglerError)) return false
  const { codes, output } = error
  return (
    codes.includes(PAID_PLAN_NEEDED) ||
    (codes.includes(BINDING_INVALID) && /of type worker_loader is invalid/.test(output))
  )
}

async function deploying(
  run: RunWrangler,
  more: readonly string[],
  heard: (line: string) => void,
): Promise<{ readonly out: string; readonly output: z.infer<typeof Output> | null }> {
  return inFolder(async (folder) => {
    const file = join(folder, 'wrangler.jsonl')
    const out = await run(['deploy', ...more], { env: { WRANGLER_OUTPUT_FILE_PATH: file }, heard })
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    const outputs = lines.map((line) => Output.safeParse(JSON.parse(line)))
    return { out, output: outputs.find(({ success }) => success)?.data ?? null }
  })
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'satchel-deploy-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
