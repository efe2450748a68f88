// Bundles and uploads the Worker with wrangler. Leaves out the Worker Loader if the plan has none, and skips the upload
// if the same Worker is already live.

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
  /** Number of static files: the page and the runtimes. */
  readonly assets: number
  /** The code of the Worker's module. */
  readonly code: string
}

export interface UploadResult {
  /** The Worker's addresses as wrangler reports them: hosts or patterns of routes. */
  readonly targets: readonly string[]
  /** False if the plan has no Worker Loader; commands cannot run in that case. */
  readonly hasSandbox: boolean
  /** False if the same Worker was already live. */
  readonly isNew: boolean
}

/**
 * Bundles the Worker without a login or the network. `report` receives each line of output of the build of static
 * files. Rejects with the bundler's message.
 */
export async function bundle(run: RunWrangler, report: (line: string) => void): Promise<Bundle> {
  return inTemporaryFolder(async (folder) => {
    const { out, output } = await runDeploy(run, ['--dry-run', '--outdir', folder], (line) => {
      const [, buildLine = ''] = /^\[custom build\] (.*)/.exec(line) ?? []
      if (/\S/.test(buildLine) && !buildLine.startsWith('Running:')) report(buildLine)
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
  /** The stamp of this Worker (stamp.ts). */
  readonly stamp: string
  /** The stamp of the live Worker; null if it is unknown, or to upload in any case. */
  readonly liveStamp: string | null
  /** Receives each line of wrangler's output. */
  readonly onLine: (line: string) => void
}

/** Uploads and activates a Worker. If it rejects with wrangler's message, the live version is unchanged. */
export async function upload(task: WorkerUpload): Promise<UploadResult> {
  const { root, config, stamp, liveStamp } = task
  const hasSandbox = config.worker_loaders !== undefined
  if (liveStamp === stamp) return setUpAddresses(task, hasSandbox)
  try {
    return await uploadOnce(task, stamp, hasSandbox)
  } catch (error) {
    if (!hasSandbox || !isPlanError(error)) throw error
  }
  writeConfig(root, withoutLoader(config))
  const bareStamp = `${stamp}-bare`
  return liveStamp === bareStamp ? setUpAddresses(task, false) : uploadOnce(task, bareStamp, false)
}

async function uploadOnce(
  { run, onLine }: WorkerUpload,
  stamp: string,
  hasSandbox: boolean,
): Promise<UploadResult> {
  const { output } = await runDeploy(run, ['--var', `DEPLOYED_AS:${stamp}`], onLine)
  return { targets: output?.targets ?? [], hasSandbox, isNew: true }
}

/** Only sets up the addresses. An earlier command may have ended after the upload and before this step. */
async function setUpAddresses({ run }: WorkerUpload, hasSandbox: boolean): Promise<UploadResult> {
  const out = await run(['triggers', 'deploy'])
  const targets = [...out.matchAll(/^ {2}(\S.*)$/gm)].map(([, target = '']) => target)
  return { targets, hasSandbox, isNew: false }
}

const PAID_PLAN_NEEDED_CODE = 10_195
const BINDING_INVALID_CODE = 10_021

/** Whether an upload failed because the plan has no Worker Loader, which Cloudflare reports in two ways. */
function isPlanError(error: unknown): boolean {
  if (!(error instanceof WranglerError)) return false
  const { codes, output } = error
  return (
    codes.includes(PAID_PLAN_NEEDED_CODE) ||
    (codes.includes(BINDING_INVALID_CODE) && /of type worker_loader is invalid/.test(output))
  )
}

async function runDeploy(
  run: RunWrangler,
  args: readonly string[],
  onLine: (line: string) => void,
): Promise<{ readonly out: string; readonly output: z.infer<typeof Output> | null }> {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'wrangler.jsonl')
    const out = await run(['deploy', ...args], { env: { WRANGLER_OUTPUT_FILE_PATH: file }, onLine })
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    const outputs = lines.map((line) => Output.safeParse(JSON.parse(line)))
    return { out, output: outputs.find(({ success }) => success)?.data ?? null }
  })
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'satchel-deploy-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
