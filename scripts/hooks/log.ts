// Implements `log` and `replay` of `npm run hooks`.

import type { AcceptedDelivery, DeliveryDetail, DeliveryInfo } from '../../src/webhooks/api.ts'
import type { Receipt } from '../../src/agent/events.ts'
import type { Page } from '../../src/thread/api.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { responseBody } from '../tools/ports.ts'
import type { HookFlags, HookPorts, ListedHook } from './ports.ts'
import { acceptedLine } from './send.ts'
import { deliveryLines, deliveryTable } from './table.ts'

export async function log(
  hook: ListedHook,
  flags: HookFlags,
  ports: HookPorts,
  delivery?: string,
): Promise<number | string> {
  if (delivery !== undefined) return showDelivery(hook, delivery, flags, ports)
  const limit = Number(flags.limit)
  if (!Number.isInteger(limit) || limit < 1) return '--limit takes a number from 1.'
  const found = await deliveriesOf(hook, flags, limit, ports)
  if (found === null) return 1
  if (flags.json) ports.say(JSON.stringify(found.deliveries, null, 2))
  else if (found.deliveries.length === 0) ports.say('There are no such deliveries.')
  else for (const line of deliveryTable(found.deliveries, ports.url)) ports.say(line)
  if (!flags.json && found.more) ports.say(`\nThere are more. To list them: --limit ${limit * 5}`)
  return 0
}

/** The newest deliveries that match the flags; null if a request failed, which has then been reported. */
export async function deliveriesOf(
  { id: hookId }: ListedHook,
  { state, reply, id, text }: Pick<HookFlags, 'state' | 'reply' | 'id' | 'text'>,
  limit: number,
  ports: HookPorts,
): Promise<{ readonly deliveries: readonly DeliveryInfo[]; readonly more: boolean } | null> {
  const deliveries: DeliveryInfo[] = []
  let cursor: string | null = null
  // A page of a text search may be empty although more pages follow.
  do {
    const query = new URLSearchParams({
      limit: String(Math.min(100, limit - deliveries.length)),
      ...(state !== undefined && { state }),
      ...(reply !== undefined && { reply }),
      ...(id !== undefined && { id }),
      ...(text !== undefined && { q: text }),
      ...(cursor !== null && { cursor }),
    })
    const path = `/admin/hooks/${hookId}/deliveries?${query}`
    const page: Page<DeliveryInfo> | null = await responseBody(ports, 'GET', path)
    if (page === null) return null
    deliveries.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null && deliveries.length < limit)
  return { deliveries, more: cursor !== null }
}

async function showDelivery(
  { id }: ListedHook,
  delivery: string,
  flags: HookFlags,
  ports: HookPorts,
): Promise<number> {
  const path = `/admin/hooks/${id}/deliveries/${encodeURIComponent(delivery)}`
  const detail = await responseBody<DeliveryDetail>(ports, 'GET', path)
  if (detail === null) return 1
  if (flags.json) ports.say(JSON.stringify(detail, null, 2))
  else for (const line of deliveryLines(detail, ports.url)) ports.say(line)
  return 0
}

/** Implements `reply HOOK DELIVERY`. */
export async function sendReply(
  { id }: ListedHook,
  flags: HookFlags,
  ports: HookPorts,
  delivery?: string,
): Promise<number | string> {
  if (delivery === undefined)
    return 'reply takes a hook and a delivery. log --reply failed lists replies that failed.'
  const path = `/admin/hooks/${id}/deliveries/${encodeURIComponent(delivery)}/reply`
  const receipt = await responseBody<Receipt>(ports, 'POST', path)
  if (receipt === null) return 1
  ports.say(
    flags.json
      ? JSON.stringify(receipt, null, 2)
      : `The reply is sent again. Its outcome: npm run hooks -- log ${id} ${harmlessLine(delivery)}`,
  )
  return 0
}

export async function replay(
  { id }: ListedHook,
  flags: HookFlags,
  ports: HookPorts,
  delivery?: string,
): Promise<number | string> {
  if (delivery === undefined) return 'replay takes a hook and a delivery. The log lists deliveries.'
  const path = `/admin/hooks/${id}/deliveries/${encodeURIComponent(delivery)}/replay`
  const replayed = await responseBody<AcceptedDelivery>(ports, 'POST', path)
  if (replayed === null) return 1
  ports.say(flags.json ? JSON.stringify(replayed, null, 2) : acceptedLine(replayed, ports.url))
  return 0
}
