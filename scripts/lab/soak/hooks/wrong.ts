// Thousands of deliveries with one error each, made from valid ones. Each is refused and leaves nothing, while valid
// deliveries among them are recorded.

import { setTimeout as sleep } from 'node:timers/promises'

import { pick, wrongDelivery } from '../../../../test/unit/webhooks/wrong-deliveries.ts'
import { HMAC, SECRETS, sign, type Sent } from '../../../../test/unit/webhooks/signers.ts'
import { seededChance, type Chance } from '../../rig/random.ts'
import { requestUntilAnswered } from '../insist.ts'

import type { SchemeName } from '../../../../src/webhooks/schemes/scheme.ts'
import type { ModelApi } from '../../rig/model-api.ts'
import type { Satchel } from '../../rig/satchel.ts'
import type { Checks } from '../check-list.ts'

/** The schemes with signed bodies. */
const SIGNING: readonly SchemeName[] = [
  'standard',
  'github',
  'slack',
  'stripe',
  'linear',
  'pagerduty',
  'hmac',
]
/** One in this many deliveries is also sent without the error. */
const RIGHT_EVERY = 20
const AT_ONCE = 8
const TRIES_MAX = 100
const TRY_PAUSE_MS = 500

const REFUSED = 'each wrong delivery is refused with 401'
const TAKEN = 'the right delivery beside it is accepted'
const NOTHING = 'wrong deliveries leave no row, no thread and no request to the model'

/** Sends `count` invalid deliveries. */
export async function sendWrongDeliveries(
  { url }: Satchel,
  api: ModelApi,
  count: number,
  random: Chance,
  checks: Checks,
): Promise<void> {
  // The filter excludes all deliveries, so that valid ones are recorded without a run.
  const filter = { all: [{ header: 'x-none', exists: true }] }
  const hooks = await Promise.all(
    SIGNING.map(async (scheme) => {
      const body = {
        name: scheme,
        scheme,
        secret: SECRETS[scheme],
        filter,
        ...(scheme === 'hmac' && { signature: HMAC }),
      }
      const { body: hook } = await requestUntilAnswered(url, 'POST /admin/hooks', { body })
      return { scheme, id: String(hook['id']), path: String(hook['url']), taken: 0 }
    }),
  )
  const send = async (path: string, { headers, body }: Sent, from: number): Promise<number> => {
    // Each comes from another network, because failures of a network are limited before they are verified.
    const address = `10.${from >> 16}.${(from >> 8) & 255}.${from & 255}`
    // A busy machine may refuse a request, so retry.
    for (let tries = 1; ; tries++) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers, 'cf-connecting-ip': address },
        body,
      }).catch(() => null)
      await response?.arrayBuffer().catch(() => null)
      if (response && response.status < 500) return response.status
      if (tries === TRIES_MAX) return response?.status ?? 0
      await sleep(TRY_PAUSE_MS)
    }
  }
  // Chosen in order, so that a seed gives the same changes, and signed when sent, because signatures expire.
  const made = Array.from({ length: count }, (_, nth) => {
    const hook = pick(random, hooks)
    return { nth, hook, seed: random.between(0, 2 ** 31) }
  })
  const sendNext = async (): Promise<void> => {
    for (let next = made.shift(); next; next = made.shift()) {
      const { nth, hook, seed } = next
      const right = sign(hook.scheme, { n: nth }, Date.now(), `d-${nth}`)
      const { wrong, change } = wrongDelivery(hook.scheme, right, seededChance(seed))
      const status = await send(hook.path, wrong, nth)
      checks.note(REFUSED, `${hook.scheme} ${change}`, status === 401 ? null : `${status}`)
      if (nth % RIGHT_EVERY > 0) continue
      const genuine = await send(hook.path, right, nth)
      checks.note(TAKEN, hook.scheme, genuine === 202 ? null : `${genuine}`)
      hook.taken += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext))
  for (const { scheme, id, taken } of hooks) {
    const { body } = await requestUntilAnswered(url, `GET /admin/hooks/${id}/deliveries?limit=100`)
    const rows = Array.isArray(body['data']) ? body['data'].length : 0
    checks.note(NOTHING, scheme, rows === taken ? null : `${rows} rows, not ${taken}`)
  }
  const threads = await requestUntilAnswered(url, 'GET /v1/threads')
  checks.note(NOTHING, 'threads', threads.text.includes('th_') ? threads.text.slice(0, 300) : null)
  const { requests } = await api.state()
  checks.note(NOTHING, 'requests', requests === 0 ? null : `${requests}`)
}
