// Implements `test` and `send` of `npm run hooks`: deliveries signed by the server, or here as by the sender.

import { newId } from '../../src/lib/ids.ts'
import type { AcceptedDelivery, HookTrial, HookView } from '../../src/webhooks/api.ts'
import { checkSecret } from '../../src/webhooks/schemes/secret.ts'
import { signDelivery } from '../../src/webhooks/schemes/sign.ts'
import { harmless, harmlessLine } from '../lib/terminal.ts'
import { responseBody } from '../tools/ports.ts'
import { allOf, findNamed } from '../unattended/named.ts'
import { secretHelp } from './advice.ts'
import { givenHeaders, givenSecret, payloadOf } from './input.ts'
import type { HookFlags, HookPorts, ListedHook } from './ports.ts'

type Outcome = AcceptedDelivery | { readonly handshake: string }

/** Implements `test HOOK`. */
export async function test(hook: ListedHook, flags: HookFlags, ports: HookPorts): Promise<number | string> {
  const [payload, headers] = [await payloadOf('test', flags), givenHeaders(flags.header)]
  if (!payload.ok) return payload.error
  if (!headers.ok) return headers.error
  const path = `/admin/hooks/${hook.id}/test`
  const request = { payload: payload.value, headers: headers.value, dry_run: flags['dry-run'] }
  const tried = await responseBody<Outcome | HookTrial>(ports, 'POST', path, request)
  if (tried === null) return 1
  if (flags.json) ports.say(JSON.stringify(tried, null, 2))
  else if ('verdict' in tried) for (const line of trialLines(tried)) ports.say(line)
  else ports.say(outcomeLine(tried, ports.url))
  return 'verdict' in tried && tried.verdict === 'refused' ? 1 : 0
}

/** Implements `send [HOOK]`. */
export async function sendDelivery(
  name: string | undefined,
  flags: HookFlags,
  ports: HookPorts,
): Promise<number | string> {
  const [payload, headers] = [await payloadOf('send', flags), givenHeaders(flags.header)]
  if (!payload.ok) return payload.error
  if (!headers.ok) return headers.error
  const hook = await hookToSendTo(name, flags, ports)
  if (hook === null) return 1
  const given = await givenSecret(flags, ports)
  if (!given.ok) return given.error
  const secret = given.value ?? (ports.environmentSecret || null)
  if (secret === null) {
    ports.complain(secretHelp(name ?? hook.id))
    return 1
  }
  const wrong = checkSecret(secret, hook.scheme)
  if (wrong !== null) {
    ports.complain(`The secret ${wrong}.`)
    return 1
  }
  const signed = await signDelivery({ ...hook, secret }, payload.value, {
    id: flags.id ?? `test_${newId('dl')}`,
    now: ports.now(),
  })
  // An explicit header overrides a generated one, to allow testing forms and wrong signatures.
  const request = { method: 'POST', headers: { ...signed.headers, ...headers.value }, body: signed.body }
  return report(await ports.fetch(`${ports.url}/hooks/${hook.id}`, request), flags, ports)
}

/** The named hook, or the only hook of the scheme; null, after printing an error, if there is none. */
async function hookToSendTo(
  name: string | undefined,
  { scheme }: HookFlags,
  ports: HookPorts,
): Promise<HookView | null> {
  const listed =
    name === undefined
      ? await allOf<ListedHook>('hook', ports)
      : [await findNamed<ListedHook>('hook', name, ports)]
  const hooks: HookView[] = []
  for (const hook of listed ?? [null]) {
    const view = hook && (await responseBody<HookView>(ports, 'GET', `/admin/hooks/${hook.id}`))
    if (view === null) return null
    if (scheme === undefined || view.scheme === scheme) hooks.push(view)
    else if (name !== undefined) {
      ports.complain(
        `${harmlessLine(name)} has the scheme ${harmlessLine(view.scheme)}, so leave out --scheme.`,
      )
      return null
    }
  }
  const [only] = hooks
  if (only !== undefined && hooks.length === 1) return only
  const kind = scheme === undefined ? 'hooks' : `hooks of the scheme ${harmlessLine(scheme)}`
  ports.complain(
    only === undefined
      ? `There are no ${kind}. To create one: npm run hooks -- create NAME${scheme === undefined ? '' : ` --scheme ${harmlessLine(scheme)}`}`
      : `There are ${hooks.length} ${kind}. Name one: ${hooks.map(({ name: shown }) => harmlessLine(shown)).join(', ')}.`,
  )
  return null
}

async function report(response: Response, flags: HookFlags, ports: HookPorts): Promise<number> {
  const text = await response.text()
  if (flags.json) ports.say(text)
  if (response.status === 202 && !flags.json) {
    // The cast trusts the API contract.
    ports.say(acceptedLine(JSON.parse(text) as AcceptedDelivery, ports.url))
  } else if (response.ok && !flags.json) ports.say(outcomeLine({ handshake: text }, ports.url))
  if (response.ok) return 0
  const why =
    response.status === 401
      ? '\nIs it the secret of this hook? With the wrong secret or scheme, nothing is recorded.'
      : ''
  if (!flags.json) ports.complain(`${response.status}: ${harmlessLine(text)}${why}`)
  return 1
}

function outcomeLine(outcome: Outcome, url: string): string {
  return 'handshake' in outcome
    ? `The sender's test of the address was answered: ${harmlessLine(outcome.handshake)}\nNo run starts.`
    : acceptedLine(outcome, url)
}

export function acceptedLine(
  {
    delivery_id,
    thread_id,
    run_id,
    created,
  }: Omit<AcceptedDelivery, 'created'> & { readonly created?: boolean },
  url: string,
): string {
  const delivery =
    created === false
      ? `This payload was delivered before, as ${harmlessLine(delivery_id)}: nothing new starts. Change it, or use replay.`
      : `Delivery ${harmlessLine(delivery_id)} was recorded.`
  if (thread_id === null) return `${delivery} The filter excludes it, so no run starts.`
  const link = `${url}/#t=${harmlessLine(thread_id)}`
  return run_id === null ? `${delivery} It waits for its thread: ${link}` : `${delivery} Its run: ${link}`
}

function trialLines({ verdict, reason, message, thread_id }: HookTrial): readonly string[] {
  return [
    `It would be ${verdict}.${reason === null ? '' : ` ${harmlessLine(reason)}`}`,
    ...(thread_id === null ? [] : [`Thread: ${harmlessLine(thread_id)}`]),
    ...(message === null ? [] : ['', ...harmless(message).split('\n')]),
  ]
}
