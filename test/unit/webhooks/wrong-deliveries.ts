// Makes wrong deliveries from right ones, at random.

import type { Chance } from '../../../scripts/lab/rig/random.ts'
import type { SchemeName } from '../../../src/webhooks/schemes/scheme.ts'
import type { Sent } from './signers.ts'

/** The headers that prove a delivery, and those in which only its ID is. */
export const PROOFS: Readonly<Record<SchemeName, readonly string[]>> = {
  standard: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  github: ['x-hub-signature-256'],
  gitlab: ['x-gitlab-token'],
  slack: ['x-slack-request-timestamp', 'x-slack-signature'],
  stripe: ['stripe-signature'],
  linear: ['linear-signature'],
  pagerduty: ['x-pagerduty-signature'],
  hmac: ['x-id', 'x-time', 'x-signature'],
  bearer: ['authorization'],
  basic: ['authorization'],
}

/**
 * A right delivery of a scheme that signs bodies, with its body or a header that proves it changed in one place. `change` says
 * what was changed.
 */
export function wrongDelivery(
  scheme: SchemeName,
  right: Sent,
  chance: Chance,
): { readonly wrong: Sent; readonly change: string } {
  const name = pick(chance, ['body', ...PROOFS[scheme]])
  const value = name === 'body' ? right.body : (right.headers[name] ?? '')
  const changed = changedText(value, chance)
  const wrong =
    name === 'body'
      ? { ...right, body: changed }
      : { ...right, headers: { ...right.headers, [name]: changed } }
  return { wrong, change: `${name}: ${changed}` }
}

export function pick<T>(chance: Chance, list: readonly T[]): T {
  const picked = list[chance.between(0, list.length - 1)]
  if (picked === undefined) throw new Error('the list is empty')
  return picked
}

/** The text with one character flipped, removed, doubled or inserted. */
function changedText(text: string, chance: Chance): string {
  const at = chance.between(0, text.length - 1)
  const found = text.charAt(at)
  const made = [
    () =>
      text.slice(0, at) +
      String.fromCharCode(found.charCodeAt(0) ^ (1 << chance.between(0, 4))) +
      text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + found + text.slice(at),
    () => text.slice(0, at) + String.fromCharCode(33 + chance.between(0, 89)) + text.slice(at),
  ]
  const changed = pick(chance, made)()
  return changed === text ? `${text}.` : changed
}
