// Explains what to configure at the sender of a hook, using the names of its settings.

import type { SchemeName } from '../../src/webhooks/schemes/scheme.ts'
import { shellQuote } from '../lib/terminal.ts'

interface Advice {
  /** The place where URL and secret are entered. */
  readonly enter: string
  /** Whether the sender creates its own secret, and shows it only after the URL was entered. */
  readonly ownSecret?: true
}

const ADVICE: Readonly<Record<SchemeName, Advice>> = {
  standard: { enter: 'Enter the URL and the secret at the sender, as its webhook and signing secret.' },
  github: {
    enter:
      'In the repository: Settings, Webhooks, Add webhook: the URL, content type application/json, the secret, and the events.',
  },
  gitlab: {
    enter:
      'In the project: Settings, Webhooks, Add new webhook: the URL, the secret as signing token (whsec_…) or secret token, and the events.',
  },
  slack: {
    enter: "In the app: the URL under Event Subscriptions. The secret is the app's Signing Secret.",
    ownSecret: true,
  },
  stripe: {
    enter:
      'In the Dashboard: Developers, Webhooks: an endpoint with the URL. It then shows its signing secret.',
    ownSecret: true,
  },
  linear: {
    enter: 'In the settings: API, New webhook: the URL. It then shows its signing secret.',
    ownSecret: true,
  },
  pagerduty: {
    enter: 'Integrations, Generic Webhooks (v3): a subscription with the URL. It then shows its secret.',
    ownSecret: true,
  },
  hmac: { enter: 'Enter the URL and the secret at the sender. It must sign as the field signature says.' },
  bearer: { enter: 'Let the sender POST to the URL with the header Authorization: Bearer and the secret.' },
  basic: {
    enter: 'Let the sender POST to the URL with basic authentication: the secret is its user:password.',
  },
}

/** The next steps after creating a hook. `hasOwn` says whether it was created with the sender's secret. */
export function adviceLines(
  { id, scheme }: { readonly id: string; readonly scheme: SchemeName },
  hasOwn: boolean,
  url: string,
): readonly string[] {
  const { enter, ownSecret } = ADVICE[scheme]
  const rotate = `npm run hooks -- rotate ${id} --overlap 0 --secret -`
  const local = /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(url)
  return [
    enter,
    ...(ownSecret && !hasOwn ? [`Then store that secret in the hook: ${rotate}`] : []),
    ...(local ? [`Only senders on this machine reach ${url}; others need a deployed Satchel.`] : []),
    `To try it: npm run hooks -- test ${id} --file payload.json`,
  ]
}

/** Explains how to replace the secret of a hook, because the server does not show it again. */
export function secretHelp(hook: string): string {
  return (
    'No secret is given: set HOOK_SECRET, or pass --secret -. The server shows a secret only when it is created; if it is lost:\n' +
    `  npm run hooks -- rotate ${shellQuote(hook)}   replaces it\n` +
    `  npm run hooks -- test ${shellQuote(hook)} --file FILE   delivers a payload that the server signs, without the secret`
  )
}
