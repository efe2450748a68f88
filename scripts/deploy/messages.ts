// Messages of a deployment: the plan, and the next steps. Pure.

import { counted } from '../../src/lib/counted.ts'
import { paint } from '../lib/terminal.ts'

import type { Build } from '../build/build.ts'
import type { Account } from './account.ts'
import type { Config } from './config.ts'
import type { LiveWorker } from './live.ts'
import type { Missing } from './secrets.ts'
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
  readonly missing: Missing
  /** Whether the live Worker equals this one. */
  readonly isSame: boolean
  /** Whether missing secrets can be asked for. */
  readonly canAsk: boolean
}

const STATES = { linked: 'linked', found: 'there already', new: 'will be made' } as const
const HOLDS: Readonly<Record<string, string>> = {
  SKILLS: 'bodies and indexes of skills',
  RESOURCES: 'files of skills',
  FILES: 'files of conversations',
}

/** One line for each thing that is created or sent. */
export function planLines(plan: DeployPlan): string[] {
  const { config, account, live, stores, bundle, build } = plan
  const size = [...build.blobs.values()].reduce((sum, blob) => sum + blob.size, 0)
  const where = account
    ? `${account.name ?? 'account'} (${account.id})${account.email ? `, as ${account.email}` : ''}`
    : 'not asked'
  const worker =
    live === null ? '' : plan.isSame ? ', as it is live' : live.exists ? ', a new version' : ', will be made'
  const objects = (config.durable_objects?.bindings ?? []).map(({ class_name: name }) => name)
  return [
    row('Account', where),
    row('Worker', `${config.name}${worker}`),
    row('', `${kib(bundle.gzipBytes)} gzip, ${counted(bundle.assets, 'static file')} beside it`),
    ...stores.map(({ kind, name, id, state, binding }) =>
      row(
        kind,
        `${name ?? id}, ${live === null ? 'made where it is missing' : STATES[state]}${dim(HOLDS[binding])}`,
      ),
    ),
    row('Objects', objects.join(', ')),
    row('Sandbox', config.worker_loaders ? 'needs Workers Paid; left out where the plan has none' : 'none'),
    row(
      'Skills',
      `${counted(build.index.skills.length, 'skill')}, ${counted(build.blobs.size, 'object')}, ${kib(size)}${dim(`build ${build.digest.slice(0, 12)}`)}`,
    ),
    ...secretRows(plan),
  ]
}

function secretRows({ live, canAsk, missing: { made, given, prompted } }: DeployPlan): string[] {
  const parts = [
    ...(made.length > 0 ? [`${made.join(', ')}: made at random`] : []),
    ...(Object.keys(given).length > 0 ? [`${Object.keys(given).join(', ')}: from your environment`] : []),
    ...prompted.map((name) => `${name}: ${canAsk ? 'asked for next' : 'none, so the demo model answers'}`),
  ]
  if (live === null) return [row('Secrets', 'those that are missing are made or asked for')]
  if (parts.length === 0) return [row('Secrets', 'all there')]
  return parts.map((part, at) => row(at === 0 ? 'Secrets' : '', part))
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

/** Shows the key once, before it is sent. */
export function keyLines(adminKey: string): string[] {
  return [
    '',
    'This key will be set: keep it.',
    `  ${paint('bold', 'ADMIN_KEY')}  ${adminKey}`,
    '  Shown this once, and kept nowhere here: put it into your password manager.',
  ]
}

/** After a failure: whether the key that was shown is set. `worker`: its name. */
export function unsureLine(worker: string): string {
  return (
    'The ADMIN_KEY above may be set all the same: if the next run shows no other one, it is. ' +
    `To set one of your own: npx wrangler secret put ADMIN_KEY --name ${worker}`
  )
}

export interface DeployOutcome {
  readonly address: string
  readonly hasSandbox: boolean
  readonly hasModel: boolean
  readonly accountId: string
  readonly isFirst: boolean
  /** ` -- --env staging`, if the command needs it. */
  readonly more: string
}

export function doneLines(done: DeployOutcome): string[] {
  const { address, hasSandbox, hasModel, accountId, isFirst, more } = done
  return [
    '',
    `${paint('bold', 'Satchel is up:')} ${paint('cyan', `${address}/`)}`,
    ...(hasSandbox
      ? []
      : [
          'Without the sandbox: this account is not on Workers Paid, so the agent runs no commands and reads no documents. ' +
            `Switch at https://dash.cloudflare.com/${accountId}/workers/plans, then npm run deploy${more}.`,
        ]),
    ...(hasModel
      ? []
      : [
          `The demo model answers. For real answers: npm run deploy${more} again, it asks for ANTHROPIC_API_KEY.`,
        ]),
    ...(isFirst
      ? [
          'Next:',
          '  1  Open the address and enter the admin key.',
          '  2  Make each person a key of their own: POST /admin/keys (docs/api.md#keys-and-roles).',
          `  3  Changed a skill, or pulled a new version? npm run deploy${more}`,
        ]
      : []),
    '',
  ]
}
