// How a run ended, and its receipt: what it really used, as a table. Formats, decides nothing.

import { h } from './dom.js'

/** @typedef {import('./run-state.js').RunState} RunState */
/** @typedef {import('./run-state.js').Receipt} Receipt */

const OUTCOMES = new Map([
  ['answered', 'Answered'],
  ['awaiting_input', 'Waiting for your answer'],
  ['refused', 'The model declined'],
  ['truncated', 'Cut off at the output limit'],
  ['loop_detected', 'Stopped: it was going in circles'],
  ['step_limit', 'Stopped at the step limit'],
  ['budget', 'Stopped at the budget'],
  ['model_error', 'The model call failed'],
  ['context_overflow', 'The conversation is too long for the model'],
  ['recovery_limit', 'Stopped after too many restarts'],
  ['internal', 'Failed inside the server'],
  ['cancelled', 'Cancelled'],
  ['interrupted', 'Interrupted by a newer message'],
])

/** @param {string} category */
export function label(category) {
  return h('span', { class: `badge ${category}` }, category === 'public' ? 'built-in' : 'custom')
}

/**
 * @param {RunState} state
 * @param {boolean} live
 */
export function ending({ error, status, stopReason, receipt, items }, live) {
  const parts = []
  if (error || status === 'failed') {
    parts.push(
      problemBox(
        OUTCOMES.get(stopReason ?? '') ?? 'The run failed',
        error?.detail ?? '',
        error?.code,
        error?.request_id,
      ),
    )
  } else if (status === 'cancelled') {
    parts.push(h('p', { class: 'quiet' }, OUTCOMES.get(stopReason ?? '') ?? 'Cancelled', '.'))
  }
  if (receipt) parts.push(receiptView(receipt, items, live))
  return parts
}

/**
 * @param {string} title
 * @param {string} detail
 * @param {string | undefined} code
 * @param {string | null | undefined} requestId
 */
export function problemBox(title, detail, code, requestId) {
  const marks = [code, requestId && `request ${requestId}`].filter(Boolean).join(' · ')
  return h(
    'div',
    { class: 'problem', role: 'alert' },
    h('strong', {}, title),
    detail ? h('p', {}, detail) : null,
    marks ? h('small', {}, marks) : null,
  )
}

/**
 * @param {Receipt} receipt
 * @param {readonly import('./run-items.js').Item[]} items
 * @param {boolean} open
 */
function receiptView(receipt, items, open) {
  const { usage, charged } = receipt
  const files = receipt.skills.flatMap((skill) => skill.resources.map((path) => `${skill.name}/${path}`))
  const cached = usage.cache_creation_input_tokens + usage.cache_read_input_tokens
  const ms = receipt.ended_at ? Date.parse(receipt.ended_at) - Date.parse(receipt.accepted_at) : null
  const time = ms === null ? 'unknown' : duration(ms)
  const least = charged.estimated ? 'at least ' : ''
  const outcome = OUTCOMES.get(receipt.stop_reason ?? '') ?? receipt.status
  const retries = receipt.recoveries > 0 ? `, ${counted(receipt.recoveries, 'recovery', 'recoveries')}` : ''
  const skills = receipt.skills.map((skill) =>
    h(
      'div',
      {},
      h('strong', {}, skill.name),
      ' ',
      label(skill.category),
      ' ',
      digest(skill.digest),
      ` via ${skill.via}`,
    ),
  )
  const tools = receipt.tools.map(
    (tool) => `${tool.name} × ${tool.calls}${tool.errors ? ` (${tool.errors} failed)` : ''}`,
  )
  const approvals = receipt.approvals.map(({ tool_use_id: id, decision, by }) => {
    const call = items.find((item) => item.kind === 'tool' && item.key === `tool:${id}`)
    return h('div', {}, `${call?.kind === 'tool' ? call.name : id}: ${decision} by ${by}`)
  })
  /** @type {[string, (Node | string)[]][]} */
  const rows = [
    ['Outcome', [`${outcome} `, h('code', {}, receipt.stop_reason ?? receipt.status)]],
    ['Skills', skills.length ? skills : ['none']],
    ['Files', files.length ? files.map((path) => h('div', {}, h('code', {}, path))) : ['none']],
    ['Tools', [tools.join(', ') || 'none']],
    ...(approvals.length > 0 ? [/** @type {[string, Node[]]} */ (['Approvals', approvals])] : []),
    ['Steps', [`${receipt.steps} (${counted(receipt.model_calls, 'model call')}${retries})`]],
    [
      'Tokens',
      [`${number(usage.input_tokens)} in, ${number(usage.output_tokens)} out, ${number(cached)} cached`],
    ],
    ['Cost', [cost(charged)]],
    ['Time', [time]],
    ['Model', [h('code', {}, receipt.model)]],
    ['Catalog', [`version ${receipt.catalog_version}, build `, digest(receipt.build)]],
    ['Run', [h('code', {}, receipt.run_id)]],
  ]
  const sums = [
    counted(receipt.skills.length, 'skill'),
    counted(files.length, 'file'),
    `${least}${number(charged.tokens)} tokens`,
    time,
  ]
  const details = h(
    'details',
    { class: 'receipt' },
    h('summary', {}, 'Receipt', h('span', { class: 'muted' }, sums.join(' · '))),
    h(
      'table',
      {},
      ...rows.map(([name, cells]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, ...cells))),
    ),
  )
  details.toggleAttribute('open', open)
  return details
}

/** @param {string} value */
export function digest(value) {
  return h('code', { class: 'digest', title: value }, value.replace(/^sha256:/, '').slice(0, 10))
}

/** @param {number} ms */
export function duration(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** @param {number} value */
function number(value) {
  return value.toLocaleString('en-US')
}

/**
 * What was charged, answered or not.
 * @param {Receipt['charged']} charged
 */
export function cost({ tokens, usd, estimated }) {
  const sum = `${money(usd)}, ${number(tokens)} tokens`
  if (!estimated) return sum
  return `at least ${sum} (an estimate: a call broke off, or the model's price is not known)`
}

/** @param {number} usd */
function money(usd) {
  return usd === 0 ? '$0' : `$${usd.toFixed(usd < 0.01 ? 6 : 4)}`
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
function counted(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`
}
