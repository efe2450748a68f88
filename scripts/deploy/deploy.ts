// Deploys the Worker: first makes all checks and asks all questions, then creates stores, uploads the skills and uploads
// the Worker. This order ensures that the stores have the skills of every live Worker.

import type { Result } from '../../src/lib/result.ts'
import { throttled } from '../lib/paced.ts'
import { isYes, type AskLine } from '../lib/ask.ts'
import { counted } from '../../src/lib/counted.ts'
import { formatDuration } from '../lib/terminal.ts'
import { WranglerError, type RunWrangler } from '../lib/wrangler.ts'
import { PROGRESS_INTERVAL_MS } from '../lib/limits.ts'
import type { CloudflarePorts } from '../lib/cloudflare.ts'
import { sendRemote } from '../push/send-remote.ts'
import { findAccount, logIn, remoteOf, type Remote } from './account.ts'
import { deployAddress } from './address.ts'
import { withStores, writeConfig, type Config } from './config.ts'
import { readLiveWorker, type LiveWorker } from './live.ts'
import { openDeployment } from './open.ts'
import { waitUntilServed, type ReadyPorts } from './ready.ts'
import {
  gatherSecrets,
  missingSecrets,
  sendSecrets,
  type MissingSecrets,
  type DeploySecrets,
} from './secrets.ts'
import { stampOf } from './stamp.ts'
import { findStores, createStores, type StoreBinding } from './stores.ts'
import { doneLines, keyLines, planLines, repeatedArgs, uncertainKeyHint } from './messages.ts'
import { bundle, upload, type UploadResult } from './worker.ts'

import type { Build } from '../build/build.ts'

export interface DeployOptions {
  readonly env: string | null
  readonly dryRun: boolean
  /** Asks no questions. */
  readonly yes: boolean
  /** Uploads all objects of the skills again. */
  readonly all: boolean
  /** The address of the Worker, if wrangler does not report it. */
  readonly url: string | null
  /** Other folders of skills, as the user named them. */
  readonly skills: readonly string[]
}

export interface DeployPorts extends Omit<ReadyPorts, 'waiting' | 'fetch' | 'wait'>, CloudflarePorts {
  readonly root: string
  /** Null if there is no terminal. */
  readonly ask: AskLine | null
  readonly askSecret: AskLine | null
  readonly say: (line: string) => void
  /** Builds the skills. If there are errors, prints them and returns null. */
  buildSkills(): Promise<Build | null>
  /** The digest of the build that is in the code before this command. */
  readonly compiledDigest: string
  /** Called once the stores contain this build, so that the Worker may be compiled with its digest. */
  writeDigest(digest: string): Promise<unknown>
}

/** An error with a message that ends the command. */
class DeployError extends Error {}

/** Deploys and waits until the Worker serves the new version. Rejects with a message that says what is live. */
export async function deploy(options: DeployOptions, ports: DeployPorts): Promise<void> {
  const { root, environment, say } = ports
  const opened = valueOrStop(await openDeployment(root, options.env))
  valueOrStop(missingSecrets(new Set(), environment)) // Reports an invalid secret before anything else.
  const ask = options.yes ? null : ports.ask
  const accountId = opened.config.account_id ?? (environment['CLOUDFLARE_ACCOUNT_ID'] || null)
  say(
    options.dryRun
      ? 'Checking the local files …'
      : 'Checking the login, the local files and what is deployed …',
  )
  const login = { accountId, hasToken: Boolean(environment['CLOUDFLARE_API_TOKEN']) }
  const api = options.dryRun ? null : valueOrStop(await logIn(opened.run, ports))
  const account = api && valueOrStop(await findAccount(api, login, ask, say))
  const run: RunWrangler = async (args, call = {}) =>
    opened.run(args, { ...call, env: { ...(account && { CLOUDFLARE_ACCOUNT_ID: account.id }), ...call.env } })
  const compiled = ports.compiledDigest
  const build = await ports.buildSkills()
  if (build === null)
    throw new DeployError('The skills have the errors listed above, so nothing was uploaded. Fix them first.')
  const bundled = await bundle(run, (line) => say(`  ${line}`))
  const { config } = opened
  const stamp = stampOf(root, config, bundled.code, compiled, build.digest)

  const remote = api && account && remoteOf(api, account.id, config.name)
  const live = remote && (await readLiveWorker(remote))
  const stores = await findStores(config, live, remote)
  const missing = valueOrStop(missingSecrets(live?.secrets ?? new Set(), environment))
  const canAsk = !options.yes && ports.askSecret !== null
  const isSame = live?.stamp === stamp && !options.all
  const plan = { config, bundle: bundled, build, account, live, stores, missing, canAsk, isSame }
  for (const line of planLines(plan)) say(line)
  if (account === null || remote === null || live === null)
    return say('--dry-run: Nothing was uploaded, and Cloudflare was not contacted.')
  if (!options.yes) {
    if (!ask)
      throw new DeployError('No terminal is available for confirmation. Add --yes to deploy without it.')
    if (!isYes((await ask('Deploy this? [y/N] ')) ?? '')) throw new DeployError('Nothing was uploaded.')
  }
  const secrets = valueOrStop(await gatherSecrets(missing, canAsk ? ports.askSecret : null))
  const done = await send({
    options,
    ports,
    run,
    remote,
    config,
    build,
    live,
    stores,
    secrets,
    missing,
    stamp,
  })

  const address = options.url ?? deployAddress(done.targets)
  if (address === null)
    throw new DeployError(
      'The Worker is deployed, but wrangler reported no address for it. Pass its address with --url.',
    )
  await waitUntilReady(address, build.digest, ports)
  const hasModel = live.secrets.has('ANTHROPIC_API_KEY') || 'ANTHROPIC_API_KEY' in secrets
  const { hasSandbox } = done
  const isFirst = !live.exists
  for (const line of doneLines({
    address,
    hasSandbox,
    hasModel,
    accountId: account.id,
    isFirst,
    repeatedArgs: repeatedArgs(options),
  }))
    say(line)
}

/** The value of a result. Ends the command if it is an error. */
function valueOrStop<T>(result: Result<T, string>): T {
  if (!result.ok) throw new DeployError(result.error)
  return result.value
}

interface DeployTask {
  readonly options: DeployOptions
  readonly ports: DeployPorts
  readonly run: RunWrangler
  readonly remote: Remote
  readonly config: Config
  readonly build: Build
  readonly live: LiveWorker
  readonly stores: readonly StoreBinding[]
  readonly secrets: DeploySecrets
  readonly missing: MissingSecrets
  readonly stamp: string
}

/** Creates the stores, uploads the skills and uploads the Worker, each only after the previous step is complete. */
async function send(task: DeployTask): Promise<UploadResult> {
  const { options, ports, run, remote, live, secrets, missing, stamp } = task
  const { root, say } = ports
  const liveState = live.exists ? 'the previous version is still live' : 'nothing is live yet'
  const retryHint = 'Run the same command again to continue.'
  const failureMessage = (what: string): string => `${what}; ${liveState}. ${retryHint}`

  const ids = await step(
    failureMessage('Not all stores could be created'),
    createStores(task.stores, remote, say),
  )
  const config = withStores(task.config, ids)
  writeConfig(root, config)
  await step(failureMessage('Not all skills were uploaded'), sendSkills(task, ids))
  const newAdminKey = missing.generated.includes('ADMIN_KEY') ? secrets['ADMIN_KEY'] : undefined
  const setSecrets = async (): Promise<void> => {
    // Show the key before sending it, so that the user has it even if the command fails.
    if (newAdminKey !== undefined) for (const line of keyLines(newAdminKey)) say(line)
    await sendSecrets(remote, secrets)
    const names = Object.keys(secrets)
    if (names.length > 0) say(`secrets: set ${names.join(', ')}`)
  }
  const unknownOutcome = `it is unknown whether all of its secrets were set. ${retryHint}${newAdminKey === undefined ? '' : `\n${uncertainKeyHint(config.name)}`}`
  // An existing Worker receives its new secrets before its new code needs them; a new one must exist first.
  if (live.exists) await step(`The previous code is still live; ${unknownOutcome}`, setSecrets())
  const sent = {
    root,
    config,
    run,
    stamp,
    liveStamp: options.all ? null : live.stamp,
    onLine: uploadReporter(say),
  }
  const uploadFailure = (output: string): string =>
    output.includes(`\nUploaded ${config.name} (`)
      ? `The Worker was uploaded, but setting up its addresses failed. ${retryHint}`
      : failureMessage('The Worker was not deployed')
  const uploaded = await step(uploadFailure, upload(sent))
  if (!uploaded.isNew) say('worker: the same version is already live')
  if (!live.exists) await step(`The Worker was created; ${unknownOutcome}`, setSecrets())
  return uploaded
}

async function sendSkills(
  { options: { all }, ports, build, remote, stores }: DeployTask,
  ids: Readonly<Record<string, string>>,
): Promise<void> {
  const { RESOURCES: bucket, SKILLS: namespace } = ids
  if (bucket === undefined || namespace === undefined)
    throw new DeployError(
      'wrangler.toml needs a KV namespace with the binding SKILLS and an R2 bucket with the binding RESOURCES. Add them, then ' +
        'deploy again.',
    )
  const startedMs = ports.now()
  const report = throttled(PROGRESS_INTERVAL_MS, (done: number, total: number) =>
    ports.say(`  ${done} of ${total} sent`),
  )
  const areNew = stores.every(({ state, binding }) => state === 'new' || binding === 'FILES')
  const sent = await sendRemote(ports.root, build, { ...remote, namespace, bucket, all, areNew }, report)
  await ports.writeDigest(build.digest)
  const objects = counted(sent.blobs, 'object')
  ports.say(
    sent.blobs + sent.kv === 0
      ? 'skills: all are already there'
      : `skills: sent ${objects} to R2 and ${sent.kv} to KV in ${formatDuration(ports.now() - startedMs)}`,
  )
}

/** Shows wrangler's progress as it arrives. */
function uploadReporter(say: (line: string) => void): (line: string) => void {
  const report = throttled(PROGRESS_INTERVAL_MS, (line: string) => say(`  ${line}`))
  return (line) => {
    if (/^Uploaded \d+ of \d+ asset/.test(line)) report(line)
    else if (line.startsWith('Uploaded ')) say(`worker: ${line.charAt(0).toLowerCase()}${line.slice(1)}`)
  }
}

async function waitUntilReady(address: string, digest: string, ports: DeployPorts): Promise<void> {
  const waiting = throttled(PROGRESS_INTERVAL_MS, (what: string, ms: number) =>
    ports.say(`  waiting for ${address}: ${what} (${formatDuration(ms)})`),
  )
  const ready = await waitUntilServed(address, digest, { ...ports, waiting })
  if (!ready.ok)
    throw new DeployError(
      `The Worker is deployed, but ${address}/readyz does not report it as ready: ${ready.error}\n` +
        'Check its log with npx wrangler tail, then run the same command again.',
    )
}

/** Awaits `work`. If it fails, adds `meaning`, which explains the failure and may depend on wrangler's output. */
async function step<T>(meaning: string | ((output: string) => string), work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const output = error instanceof WranglerError ? error.output : ''
    throw new DeployError(`${message}\n${typeof meaning === 'string' ? meaning : meaning(output)}`, {
      cause: error,
    })
  }
}
