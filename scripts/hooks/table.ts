// Formats hooks and deliveries for a terminal. Text from the server is made harmless.

import type { DeliveryDetail, DeliveryInfo, HookView } from '../../src/webhooks/api.ts'
import { formatColumns, dimHeadTable } from '../lib/columns.ts'
import { harmless, harmlessLine, paint } from '../lib/terminal.ts'
import type { ListedHook } from './ports.ts'

const LOCAL_TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

function localTime(time: string): string {
  return LOCAL_TIME.format(new Date(time))
}

export function hookTable(hooks: readonly ListedHook[]): readonly string[] {
  const rows = hooks.map(({ id, name, created_at }) => [name, localTime(created_at), id].map(harmlessLine))
  return dimHeadTable(['name', 'created', 'id'], rows)
}

export function hookLines(hook: HookView, url: string): readonly string[] {
  const { name, id, scheme, thread, on_busy, template, filter, user, model, keep_days, reply } = hook
  const threads = { each: 'a new one for each delivery', one: 'one for all deliveries' }
  const facts: readonly (readonly [string, string])[] = [
    ['url', `${url}/hooks/${id}`],
    ['id', id],
    ['scheme', scheme],
    ...(hook.secret_readable
      ? []
      : [
          [
            'secret',
            'cannot be read: ENCRYPTION_KEY has changed. To replace the secret, use rotate',
          ] as const,
        ]),
    ...(hook.previous_secret_until === null
      ? []
      : [['old secret', `valid until ${localTime(hook.previous_secret_until)}`] as const]),
    ['filter', filter === null ? 'none: every delivery starts a run' : JSON.stringify(filter)],
    ['thread', typeof thread === 'string' ? threads[thread] : `one for each ${thread.key}`],
    [
      'if busy',
      on_busy === 'latest' ? 'only the newest delivery that waits runs' : 'deliveries wait in order',
    ],
    ['seen by', user === null ? 'admins' : `${user} and admins`],
    ['model', model ?? 'the default'],
    ['reply', reply === null ? 'none' : reply.tool],
    ['bodies', keep_days === 0 ? 'kept until the run starts' : `kept for ${keep_days} days`],
    ['message', template],
  ]
  return [
    paint('bold', harmlessLine(name)),
    ...formatColumns(facts.map(([label, value]) => [`  ${label}`, harmlessLine(value)])),
  ]
}

export function deliveryTable(deliveries: readonly DeliveryInfo[], url: string): readonly string[] {
  const rows = deliveries.map((delivery) => {
    const { received_at, id, state, reason, thread_id } = delivery
    const link = thread_id === null ? '' : `${url}/#t=${thread_id}`
    const note = [
      delivery.original_id !== null && state !== 'mismatch' ? 'replay' : '',
      delivery.reply === null || delivery.reply.state === 'sent' ? '' : `reply ${delivery.reply.state}`,
      reason ?? '',
    ]
    return [localTime(received_at), state, id, link, note.filter((text) => text !== '').join(': ')].map(
      harmlessLine,
    )
  })
  return dimHeadTable(['received', 'state', 'delivery', 'thread', 'reason'], rows)
}

export function deliveryLines(delivery: DeliveryDetail, url: string): readonly string[] {
  const { id, webhook_id, state, reason, thread_id, run_id, received_at, settled_at, tries, reply } = delivery
  const facts: readonly (readonly [string, string | null])[] = [
    ['state', state],
    ['reason', reason],
    ['sender ID', webhook_id],
    ['received', localTime(received_at)],
    ['settled', settled_at === null ? null : localTime(settled_at)],
    ['attempts', String(tries)],
    ['run', run_id],
    ['thread', thread_id === null ? null : `${url}/#t=${thread_id}`],
    [
      'reply',
      reply && `${reply.state}, ${localTime(reply.at)}${reply.detail === null ? '' : `: ${reply.detail}`}`,
    ],
    ['other bodies', delivery.mismatches > 0 ? `${delivery.mismatches} refused under its ID` : null],
    ['replay of', delivery.original_id],
    ['replays', delivery.replays.length > 0 ? delivery.replays.join(', ') : null],
  ]
  const shown = facts.flatMap(([label, value]) =>
    value === null ? [] : [[`  ${label}`, harmlessLine(value)] as const],
  )
  return [paint('bold', harmlessLine(id)), ...formatColumns(shown), '', ...contentLines(delivery)]
}

function contentLines({ headers, body }: DeliveryDetail): readonly string[] {
  if (body === null) return ['Its headers and body are not kept, so it cannot be replayed.']
  const lines = Object.entries(headers ?? {}).map(([name, value]) => harmlessLine(`${name}: ${value}`))
  return [...lines.map((line) => paint('dim', line)), '', ...harmless(indented(body)).split('\n')]
}

/** Indents a JSON body; returns any other body unchanged. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
