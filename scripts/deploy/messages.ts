// Formats the messages of a deployment: the plan, the generated key and the next steps. Pure.

import { counted } from '../../src/lib/counted.ts'
import { paint, shellWord } from '../lib/terminal.ts'

import type { Build } from '../build/build.ts'
import type { Account } from './account.ts'
import type { Config } from './config.ts'
import type { LiveWorker } from './live.ts'
import type { MissingSecrets } from './secrets.ts'
import type { StoreBinding } from './stores.ts'
import type { Bundle } from './worker.ts'

export interface DeployPlan {
  readonly config: Config
  /** Null if the account was not looked up (a dry run). */
  readonly account: Account | null
  readonly live: LiveWorker | null
  readonly stores: readonly StoreBinding[]
  readonly bundle: Bundle
  readonly build: Build
  readonly missing: MissingSecrets
  /** Whether the live Worker is the same as this one. */
  readonly isSame: boolean
  /** Whether the user can be asked for missing secrets. */
  readonly canAsk: boolean
}

const STATES = { linked: 'linked', found: 'already exists', new: 'will be created' } as const
const STORE_CONTENTS: Readonly<Record<string, string>> = {
  SKILLS: 'bodies and indexes of skills',
  RESOURCES: 'files of skills',
  FILES: 'files of conversations',
}

/** The plan, with a line for everything that will be created or uploaded. */
export function planLines(plan: DeployPlan): string[] {
  const { config, account, live, stores, bundle, build } = plan
  const size = [...build.blobs.values()].reduce((sum, blob) => sum + blob.size, 0)
  const accountText = account
    ? `${account.name ?? 'account'} (${account.id})${account.email ? `, as ${account.email}` : ''}`
    : 'not looked up'
  const worker =
    live === null
      ? ''
      : plan.isSame
        ? ', already live in this version'
        : live.exists
          ? ', a new version'
          : ', will be created'
  const objects = (config.durable_objects?.bindings ?? []).map(({ class_name: name }) => name)
  return [
    row('Account', accountText),
    row('Worker', `${config.name}${worker}`),
    row('', `${kib(bundle.gzipBytes)} gzip, and ${counted(bundle.assets, 'static file')}`),
    ...stores.map(({ kind, name, id, state, binding }) =>
      row(
        kind,
        `${name ?? id}, ${live === null ? 'created if it does not exist' : STATES[state]}${dim(STORE_CONTENTS[binding])}`,
      ),
    ),
    row('Objects', objects.join(', ')),
    row('Sandbox', config.worker_loaders ? 'needs Workers Paid; left out on other plans' : 'none'),
    row(
      'Skills',
      `${counted(build.index.skills.length, 'skill')}, ${counted(build.blobs.size, 'object')}, ${kib(size)}${dim(`build ${build.digest.slice(0, 12)}`)}`,
    ),
    ...secretRows(plan),
  ]
}

function secretRows({ live, canAsk, missing: { generated, provided, prompted } }: DeployPlan): string[] {
  const parts = [
    ...(generated.length > 0 ? [`${generated.join(', ')}: generated at random`] : []),
    ...(Object.keys(provided).length > 0
      ? [`${Object.keys(provided).join(', ')}: from your environment`]
      : []),
    ...prompted.map(
      (name) => `${name}: ${canAsk ? 'you will be asked for it' : 'not set, so the demo model will be used'}`,
    ),
  ]
  if (live === null) return [row('Secrets', 'missing ones are generated, or you are asked for them')]
  if (parts.length === 0) return [row('Secrets', 'all are set')]
  return parts.map((part, index) => row(index === 0 ? 'Secrets' : '', part))
}

function row(name: string, text: string): string {
  return `  ${paint('bold', name.padEnd(8))} ${text}`
}

function dim(text: string | undefined): string {
  return text === undefined ? '' : `  ${paint('dim', text)}`
}

function kib(bytes: number): string {
  return `${Math.ceil(bytes / 1_024).toLocaleString('en-US')} KiB`
}

/** Shows the generated admin key. It is shown only once. */
export function keyLines(adminKey: string): string[] {
  return [
    '',
    'This admin key will be set. Keep it:',
    `  ${paint('bold', 'ADMIN_KEY')}  ${adminKey}`,
    '  It is shown only this once and is not stored on this machine. Save it in your password manager.',
  ]
}

/** Explains after a failure how to find out whether the key that was shown is set. `worker` is the Worker's name. */
export function uncertainKeyHint(worker: string): string {
  return (
    'The ADMIN_KEY above may have been set anyway: if the next run does not show another one, it was. ' +
    `To set a key yourself, run npx wrangler secret put ADMIN_KEY --name ${worker}`
  )
}

/** The arguments of this deployment that every later one needs too, such as ` -- --env staging`; empty without any. */
export function repeatedArgs({
  env,
  skills,
  url,
}: {
  readonly env: string | null
  readonly skills: readonly string[]
  readonly url: string | null
}): string {
  const args = [
    ...(env === null ? [] : ['--env', env]),
    ...skills.flatMap((folder) => ['--skills', folder]),
    ...(url === null ? [] : ['--url', url]),
  ]
  return args.length === 0 ? '' : ` -- ${args.map(shellWord).join(' ')}`
}

export interface DeployOutcome {
  readonly address: string
  readonly hasSandbox: boolean
  readonly hasModel: boolean
  readonly accountId: string
  readonly isFirst: boolean
  /** Arguments to repeat in suggested commands. */
  readonly repeatedArgs: string
}

export function doneLines(done: DeployOutcome): string[] {
  const { address, hasSandbox, hasModel, accountId, isFirst, repeatedArgs } = done
  return [
    '',
    `${paint('bold', 'Satchel is up:')} ${paint('cyan', `${address}/`)}`,
    ...(hasSandbox
      ? []
      : [
          'Deployed without the sandbox: this account is not on Workers Paid, so the agent cannot run commands or read documents. ' +
            `Switch plans at https://dash.cloudflare.com/${accountId}/workers/plans, then run npm run deploy${repeatedArgs}.`,
        ]),
    ...(hasModel
      ? []
      : [
          `Satchel uses the demo model. To use a real one, run npm run deploy${repeatedArgs} again and enter an ANTHROPIC_API_KEY.`,
        ]),
    ...(isFirst
      ? [
          'Next:',
          '  1  Open the address and enter the admin key.',
          '  2  Create a key for each person with POST /admin/keys (docs/api.md#keys-and-roles).',
          `  3  Whenever you change a skill or pull a new version, run npm run deploy${repeatedArgs}`,
        ]
      : []),
    '',
  ]
}
