// Implements the verbs of `npm run keys`. A new key is the only text on standard output, so that it can be piped.

import { DAY_MS, rfc3339 } from '../../src/lib/clock.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import type { KeyInfo } from '../../src/workspace/key-api.ts'
import { readAmounts, writeAmounts } from '../lib/amounts.ts'
import { dimHeadTable } from '../lib/columns.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { splitList } from '../tools/input.ts'
import { allPages, askToGoOn, responseBody, type ToolPorts } from '../tools/ports.ts'

export interface KeyFlags {
  readonly user?: string | undefined
  readonly note?: string | undefined
  readonly days?: string | undefined
  readonly models?: string | undefined
  readonly allow?: string | undefined
  readonly deny?: string | undefined
  readonly caps?: string | undefined
  readonly 'max-budget'?: string | undefined
  readonly overlap?: string | undefined
  readonly state?: string | undefined
  readonly yes: boolean
  readonly json: boolean
}

/** The options that only some verbs take. */
const VERBS_OF = {
  user: ['create'],
  note: ['create', 'change'],
  days: ['create', 'change'],
  models: ['create', 'change'],
  allow: ['create', 'change'],
  deny: ['create', 'change'],
  caps: ['create', 'change'],
  'max-budget': ['create', 'change'],
  overlap: ['rotate'],
  state: ['list'],
} as const satisfies Partial<Record<keyof KeyFlags, readonly string[]>>

/** Why an option does not belong to the verb, or null. */
function misplaced(verb: string, flags: KeyFlags): string | null {
  for (const [name, verbs] of Object.entries(VERBS_OF))
    if (flags[name as keyof typeof VERBS_OF] !== undefined && !(verbs as readonly string[]).includes(verb))
      return `${verb} does not take --${name}; only ${verbs.join(' and ')} ${verbs.length > 1 ? 'do' : 'does'}.`
  return null
}

/** The response that shows a key's secret. */
type NewKeyInfo = KeyInfo & { readonly key: string; readonly warning?: string | null }

/** Returns the exit status, or a message if the arguments are wrong. `now` is the time from which --days counts. */
export async function runKeyVerb(
  [verb, name, ...extra]: readonly string[],
  flags: KeyFlags,
  now: number,
  ports: ToolPorts,
): Promise<number | string> {
  if (verb === undefined) return 'Specify a verb: create, list, change, rotate or revoke.'
  if (!['list', 'create', 'change', 'rotate', 'revoke'].includes(verb))
    return `There is no verb ${harmlessLine(verb)}. Run npm run keys -- --help for a list.`
  const wrong = misplaced(verb, flags)
  if (wrong !== null) return wrong
  if (verb === 'list') return name === undefined ? list(flags, ports) : `list takes no argument (${name}).`
  if (name === undefined || extra.length > 0)
    return verb === 'create'
      ? 'create takes a role: chat, publisher, admin or metrics.'
      : `${verb} takes one key ID.`
  if (name.startsWith('sk_')) return "Give the key's ID (see npm run keys -- list), not the key itself."
  if (verb === 'revoke') return revoke(name, flags, ports)
  if (verb === 'rotate') return rotate(name, flags, ports)
  const fields = fieldsOf(flags, now)
  if (!fields.ok) return fields.error
  if (verb === 'change') return change(name, fields.value, flags, ports)
  const body = { role: name, ...(flags.user === undefined ? {} : { user: flags.user }), ...fields.value }
  return showSecret('POST', '/admin/keys', body, flags, ports)
}

/** The fields that can be set when a key is created, and changed later. */
function fieldsOf(
  { note, days, models, allow, deny, caps: capList, 'max-budget': budgetList }: KeyFlags,
  now: number,
): Result<object, string> {
  const caps = amountsOf(capList)
  if (!caps.ok) return caps
  const budget = amountsOf(budgetList)
  if (!budget.ok) return budget
  const count = Number(days)
  if (days !== undefined && days !== 'never' && !(count > 0))
    return err('--days is a number of days, or never.')
  const expires_at = days === 'never' ? null : rfc3339(now + (count || 0) * DAY_MS)
  const tools = {
    ...(allow === undefined ? {} : { allow: allow === 'all' ? null : splitList(allow) }),
    ...(deny === undefined ? {} : { deny: deny === 'none' ? [] : splitList(deny) }),
  }
  return ok({
    ...(note === undefined ? {} : { note }),
    ...(days === undefined ? {} : { expires_at }),
    ...(models === undefined ? {} : { models: models === 'all' ? null : splitList(models) }),
    ...(Object.keys(tools).length === 0 ? {} : { tools }),
    ...(capList === undefined ? {} : { caps: caps.value }),
    ...(budgetList === undefined ? {} : { max_budget: budget.value }),
  })
}

/** Returns null for `default`, which removes the key's own values. */
function amountsOf(list: string | undefined): Result<object | null, string> {
  return list === undefined || list === 'default' ? ok(null) : readAmounts(splitList(list) ?? [])
}

async function showSecret(
  method: string,
  path: string,
  body: object,
  flags: KeyFlags,
  ports: ToolPorts,
): Promise<number> {
  const made = await responseBody<NewKeyInfo>(ports, method, path, body)
  if (made === null) return 1
  if (flags.json) ports.say(JSON.stringify(made, null, 2))
  else {
    ports.say(harmlessLine(made.key))
    if (made.warning) ports.complain(made.warning)
  }
  return 0
}

async function list({ state, json }: KeyFlags, ports: ToolPorts): Promise<number> {
  const keys = await allPages<KeyInfo>(ports, '/admin/keys', state === undefined ? {} : { state })
  if (keys === null) return 1
  if (json) ports.say(JSON.stringify(keys, null, 2))
  else if (keys.length === 0)
    ports.say(
      `There are no ${state === undefined ? '' : `${harmlessLine(state)} `}keys. To create one, run npm run keys -- create chat --user USER`,
    )
  else for (const line of keyTable(keys)) ports.say(line)
  return 0
}

function keyTable(keys: readonly KeyInfo[]): readonly string[] {
  const rows = keys.map(
    ({ id, role, user, note, state, expires_at, last_used_at, models, caps, max_budget }) =>
      [
        id,
        role,
        user ?? '',
        state,
        expires_at?.slice(0, 10) ?? '',
        last_used_at?.slice(0, 13).replace('T', ' ').concat('h') ?? 'never',
        models?.join(', ') ?? 'all',
        [...writeAmounts(caps ?? {}), ...writeAmounts(max_budget ?? {}, 'run.')].join(' '),
        note ?? '',
      ].map(harmlessLine),
  )
  const head = ['id', 'role', 'user', 'state', 'expires', 'last used (UTC)', 'models', 'own limits', 'note']
  return dimHeadTable(head, rows)
}

async function change(id: string, body: object, flags: KeyFlags, ports: ToolPorts): Promise<number | string> {
  if (Object.keys(body).length === 0) return 'change needs at least one option, such as --note TEXT.'
  const changed = await responseBody<KeyInfo>(ports, 'PATCH', `/admin/keys/${encodeURIComponent(id)}`, body)
  if (changed === null) return 1
  if (flags.json) ports.say(JSON.stringify(changed, null, 2))
  else for (const line of keyTable([changed])) ports.say(line)
  return 0
}

async function rotate(id: string, flags: KeyFlags, ports: ToolPorts): Promise<number | string> {
  const hours = flags.overlap === undefined ? null : Number(flags.overlap)
  if (hours !== null && !(hours >= 0)) return '--overlap is a number of hours.'
  const body = hours === null ? {} : { overlap_s: Math.round(hours * 3_600) }
  return showSecret('POST', `/admin/keys/${encodeURIComponent(id)}/rotate`, body, flags, ports)
}

async function revoke(id: string, { yes, json }: KeyFlags, ports: ToolPorts): Promise<number> {
  const shown = harmlessLine(id)
  if (!yes) {
    const question = `Revoke ${shown} at ${ports.url}? It stops working for good.`
    const stopped = await askToGoOn(ports, `revoke ${shown}`, question)
    if (stopped !== null) return stopped
  }
  const revoked = await responseBody<KeyInfo>(ports, 'DELETE', `/admin/keys/${encodeURIComponent(id)}`)
  if (revoked === null) return 1
  ports.say(json ? JSON.stringify(revoked, null, 2) : `${shown} was revoked.`)
  return 0
}
