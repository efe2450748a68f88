// Implements the verbs of `npm run hooks`. Text from the server is made harmless before it is printed.

import type { HookView, RotatedHook } from '../../src/webhooks/api.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { responseBody } from '../tools/ports.ts'
import { allOf, findNamed, removeNamed } from '../unattended/named.ts'
import { adviceLines } from './advice.ts'
import { givenSecret, hookChange, newHook } from './input.ts'
import { deliveriesOf, log, replay, sendReply } from './log.ts'
import type { HookFlags, HookPorts, ListedHook } from './ports.ts'
import { sendDelivery, test } from './send.ts'
import { deliveryTable, hookLines, hookTable } from './table.ts'

type Verb = (
  hook: ListedHook,
  flags: HookFlags,
  ports: HookPorts,
  delivery?: string,
) => Promise<number | string>

/** Returns the exit status, or a message if the arguments are wrong. */
export async function runHookVerb(
  [verb, name, delivery, ...extra]: readonly string[],
  flags: HookFlags,
  ports: HookPorts,
): Promise<number | string> {
  if (verb === undefined)
    return 'Specify a verb: create, list, show, log, replay, reply, test, send, rotate, change or delete.'
  const run = VERBS.get(verb)
  if (!run && !['create', 'list', 'send'].includes(verb))
    return `There is no verb ${harmlessLine(verb)}. Run npm run hooks -- --help for a list.`
  if (extra.length > 0 || (delivery !== undefined && !['log', 'replay', 'reply'].includes(verb)))
    return `${verb} takes fewer arguments. Put a name with spaces into quotes.`
  if (verb === 'list') return name === undefined ? list(flags, ports) : `list takes no argument (${name}).`
  if (verb === 'send') return sendDelivery(name, flags, ports)
  if (name === undefined) return `${verb} takes the name of a hook.`
  if (!run) return create(name, flags, ports)
  const hook = await findNamed<ListedHook>('hook', name, ports)
  return hook === null ? 1 : run(hook, flags, ports, delivery)
}

async function create(name: string, flags: HookFlags, ports: HookPorts): Promise<number | string> {
  const body = await newHook(name, flags, ports)
  if (!body.ok) return body.error
  type Created = HookView & { readonly secret: string; readonly url: string }
  const hook = await responseBody<Created>(ports, 'POST', '/admin/hooks', body.value)
  if (hook === null) return 1
  if (flags.json) ports.say(JSON.stringify(hook, null, 2))
  else {
    ports.say(`${harmlessLine(hook.name)} was created.`)
    ports.say(`  URL     ${ports.url}${harmlessLine(hook.url)}`)
    const hasOwn = flags.secret !== undefined
    ports.say(
      `  secret  ${hasOwn ? 'the one that you gave' : `${harmlessLine(hook.secret)}  (shown only now)`}`,
    )
    ports.say('')
    for (const line of adviceLines(hook, hasOwn, ports.url)) ports.say(line)
  }
  return 0
}

async function list(flags: HookFlags, ports: HookPorts): Promise<number> {
  const hooks = await allOf<ListedHook>('hook', ports)
  if (hooks === null) return 1
  if (flags.json) ports.say(JSON.stringify(hooks, null, 2))
  else if (hooks.length === 0)
    ports.say(
      "There are no hooks. To create one:\n  npm run hooks -- create Triage --scheme github --template 'A new issue: {{issue.title}}'",
    )
  else for (const line of hookTable(hooks)) ports.say(line)
  return 0
}

const show: Verb = async (hook, flags, ports) => {
  const view = await responseBody<HookView>(ports, 'GET', `/admin/hooks/${hook.id}`)
  const found = view && (await deliveriesOf(hook, {}, 10, ports))
  if (view === null || found === null) return 1
  const { deliveries } = found
  if (flags.json) ports.say(JSON.stringify({ ...view, deliveries }, null, 2))
  else {
    for (const line of hookLines(view, ports.url)) ports.say(line)
    if (deliveries.length > 0)
      for (const line of ['', ...deliveryTable(deliveries, ports.url)]) ports.say(line)
  }
  return 0
}

const rotate: Verb = async ({ id }, flags, ports) => {
  const overlap = flags.overlap === undefined ? undefined : Number(flags.overlap)
  if (overlap !== undefined && !Number.isInteger(overlap))
    return '--overlap takes a number of seconds, such as --overlap 3600'
  const secret = await givenSecret(flags, ports)
  if (!secret.ok) return secret.error
  const body = { secret: secret.value, ...(overlap !== undefined && { overlap_s: overlap }) }
  const rotated = await responseBody<RotatedHook>(ports, 'POST', `/admin/hooks/${id}/rotate`, body)
  if (rotated === null) return 1
  if (flags.json) ports.say(JSON.stringify(rotated, null, 2))
  else {
    ports.say(`${harmlessLine(rotated.name)} has a new secret; its URL stays.`)
    if (secret.value === null) ports.say(`  secret  ${harmlessLine(rotated.secret)}  (shown only now)`)
    const until = rotated.previous_secret_until
    const isOver = until === null || Date.parse(until) <= ports.now()
    ports.say(`The previous one is ${isOver ? 'no longer valid' : `valid until ${until}`}.`)
  }
  return 0
}

const change: Verb = async ({ id }, flags, ports) => {
  const body = await hookChange(flags)
  if (!body.ok) return body.error
  const changed = await responseBody<HookView>(ports, 'PATCH', `/admin/hooks/${id}`, body.value)
  if (changed === null) return 1
  if (flags.json) ports.say(JSON.stringify(changed, null, 2))
  else for (const line of hookLines(changed, ports.url)) ports.say(line)
  return 0
}

const remove: Verb = (hook, flags, ports) =>
  removeNamed(
    'hook',
    hook,
    'Its log is deleted, deliveries that wait fail, and its threads are kept.',
    flags,
    ports,
  )

const VERBS: ReadonlyMap<string, Verb> = new Map([
  ['show', show],
  ['log', log],
  ['replay', replay],
  ['reply', sendReply],
  ['test', test],
  ['rotate', rotate],
  ['change', change],
  ['delete', remove],
])
