// Formats what a run used as the rows of a table. Loaded when the first receipt is opened. Pure.

import type { Receipt } from '../../agent/events.ts'
import { shownToolName } from '../../client/call-text.ts'
import { decisionText } from '../../client/run-text.ts'
import { counted } from '../../lib/counted.ts'
import { formatDuration, formatMoney, formatNumber, formatTime, shortenDigest } from '../lib/format.ts'
import type { Item } from './items.ts'
import { outcomeOf } from './outcome.ts'
import { elapsedMs, skillFilesOf } from './receipt.ts'
import type { RunState } from './state.ts'

/** How a skill came into the run. */
const VIA_TEXTS: Readonly<Record<Receipt['skills'][number]['via'], string>> = {
  tool: 'loaded by the agent',
  read: 'read by the agent',
  slash: 'called with /',
  request: 'requested',
  window: 'kept from before',
}

/** A row of the table. `code`: a value shown in a monospaced font, such as a digest or an ID. */
export interface ReceiptRow {
  readonly name: string
  /** Whether the row may have several values. */
  readonly isList: boolean
  readonly lines: readonly { readonly text: string; readonly code?: string; readonly title?: string }[]
}

export function receiptRows(run: RunState, receipt: Receipt): readonly ReceiptRow[] {
  const { usage, rating } = receipt
  const cached = usage.cache_creation_input_tokens + usage.cache_read_input_tokens
  const totalMs = elapsedMs(receipt)
  const tools = receipt.tools.map(({ name, calls, errors }) => ({
    text: `${shownToolName(name)} × ${calls}${errors > 0 ? ` (${errors} failed)` : ''}`,
  }))
  const recoveries =
    receipt.recoveries > 0 ? `, ${counted(receipt.recoveries, 'recovery', 'recoveries')}` : ''
  const rows: readonly (ReceiptRow | null)[] = [
    createRow('Cost', { text: chargeText(receipt.charged) }),
    createRow('Time', { text: totalMs === null ? 'unknown' : formatDuration(totalMs) }),
    createRow('Started', { text: formatTime(receipt.accepted_at) }),
    createRow('Model', { text: '', code: receipt.model }),
    createRow('Outcome', { text: outcomeOf(run) }),
    rating ? createRow('Rating', { text: ratingOf(rating) }) : null,
    createList(
      'Skills',
      receipt.skills.map(({ name, category, via }) => ({
        text: `${name}, ${category === 'public' ? 'built-in' : 'custom'}, ${VIA_TEXTS[via]}`,
      })),
    ),
    createList(
      'Skill files',
      skillFilesOf(receipt).map((code) => ({ text: '', code })),
    ),
    createList('Tools', tools),
    receipt.approvals.length > 0 ? createList('Approvals', approvalsOf(receipt, run.items)) : null,
    createRow('Steps', { text: `${receipt.steps}${recoveries}` }),
    createRow('Model calls', { text: formatNumber(receipt.model_calls) }),
    createRow('Tokens', {
      text: `${formatNumber(receipt.charged.tokens)}: ${formatNumber(usage.input_tokens)} in, ${formatNumber(usage.output_tokens)} out, ${formatNumber(cached)} cached`,
    }),
    searchesOf(receipt),
    createRow('Catalog', { text: `version ${receipt.catalog_version}` }),
    receipt.skills.length > 0
      ? createList(
          'Digests',
          receipt.skills.map(({ name, digest }) => ({
            text: name,
            code: shortenDigest(digest),
            title: digest,
          })),
        )
      : null,
    createRow('Build', { text: '', code: shortenDigest(receipt.build), title: receipt.build }),
    createRow('Run', { text: '', code: receipt.run_id }),
  ]
  return rows.filter((entry) => entry !== null)
}

/** The row for web searches by Satchel and by the model provider, or null if there were none. */
function searchesOf({ searches, usage }: Receipt): ReceiptRow | null {
  const { web_search_requests: modelSearches = 0 } = usage
  const parts = [
    searches.count > 0 ? `${formatNumber(searches.count)} for ${formatMoney(searches.usd)}` : null,
    modelSearches > 0 ? `${formatNumber(modelSearches)} by the model` : null,
  ].filter((text) => text !== null)
  return parts.length === 0 ? null : createRow('Searches', { text: parts.join(', ') })
}

/** The amount charged, which includes failed calls. */
export function chargeText({ usd, estimated }: Receipt['charged']): string {
  const amount = formatMoney(usd)
  if (!estimated) return amount
  return `at most ${amount} (an upper bound: a call returned no complete answer, or the model's price is unknown)`
}

function createRow(name: string, line: ReceiptRow['lines'][number]): ReceiptRow {
  return { name, isList: false, lines: [line] }
}

function createList(name: string, lines: ReceiptRow['lines']): ReceiptRow {
  return lines.length > 0 ? { name, isList: true, lines } : createRow(name, { text: 'none' })
}

function approvalsOf({ approvals }: Receipt, items: readonly Item[]): ReceiptRow['lines'] {
  return approvals.map(({ tool_use_id: id, decision, by, remember, remembered, free }) => {
    const call = items.find((item) => item.kind === 'tool' && item.toolUseId === id)
    const scope = remember ? `, for this ${remember}` : ''
    const source = remembered ? `, remembered from ${remembered.tool_use_id} of ${remembered.run_id}` : ''
    const openFields = free ? `, with any value in ${free.join(', ')}` : ''
    const name = call?.kind === 'tool' ? shownToolName(call.name) : id
    return { text: `${name}: ${decisionText(decision, by)}${scope}${source}${openFields}` }
  })
}

function ratingOf({ value, note, by }: NonNullable<Receipt['rating']>): string {
  return `${value === 'up' ? 'good' : 'poor'}${note ? `: ${note}` : ''} (${by})`
}
