// What a run shows, one item after another, and how a frame changes the list. Pure; never knows a run's status.

/** @typedef {import('../../agent/message.ts').Message} Message */

/** @typedef {{ name: string, category: string, digest: string }} Skill */
/**
 * `seq` is the frame that brought the item, `points` the text's length in code points, the unit of offsets.
 * @typedef {{ kind: 'text' | 'thinking', key: string, seq: number, step: number, text: string, points: number, done: boolean }} Said
 */
/** @typedef {'running' | 'done' | 'failed' | 'stopped'} ToolState */
/** @typedef {{ kind: 'tool', key: string, seq: number, name: string, input: unknown, state: ToolState, preview: string, ms: number | null, skill: Skill | null }} Tool */
/** @typedef {{ kind: 'skill', key: string, seq: number, skill: Skill }} Loaded */
/** @typedef {{ kind: 'note', key: string, seq: number, text: string }} Note */
/**
 * `decision` null: a person is asked; `closed`: the run ended before that.
 * @typedef {{ kind: 'approval', key: string, seq: number, threadId: string, runId: string, toolUseId: string, name: string, input: unknown, request: import('../../agent/approval.ts').ShownRequest | null, reason: string, digest: string, expires: string, decision: 'approve' | 'deny' | 'expired' | 'closed' | null, by: string }} Approval
 */
/** @typedef {Said | Tool | Loaded | Note | Approval} Item */

/**
 * @param {unknown} input
 * @param {string} name
 * @returns {string | null}
 */
export function field(input, name) {
  const value = typeof input === 'object' && input !== null ? Reflect.get(input, name) : null
  return typeof value === 'string' ? value : null
}

/**
 * @param {Item} item
 * @returns {item is Said}
 */
export function isSaid(item) {
  return item.kind === 'text' || item.kind === 'thinking'
}

/**
 * text[0:offset] + delta; the offset counts code points.
 * @param {readonly Item[]} items
 * @param {{ step: number, block: number, offset: number, text: string }} delta
 * @param {'text' | 'thinking'} kind
 * @param {number} seq
 * @returns {readonly Item[]}
 */
export function withDelta(items, delta, kind, seq) {
  const key = `${delta.step}.${delta.block}`
  const at = items.findIndex((item) => item.key === key)
  const old = items[at]
  if (!old || !isSaid(old)) return [...items, saidItem(kind, key, seq, delta.step, delta.text, false)]
  const head = delta.offset >= old.points ? old.text : Array.from(old.text).slice(0, delta.offset).join('')
  const points = Math.min(delta.offset, old.points) + Array.from(delta.text).length
  return items.with(at, { ...old, text: head + delta.text, points })
}

/**
 * The message replaces what was streamed of its step, in the same place.
 * @param {readonly Item[]} items
 * @param {number} step
 * @param {Message} message
 * @param {number} seq
 */
export function withMessage(items, step, message, seq) {
  const ofStep = (/** @type {Item} */ item) => isSaid(item) && item.step === step
  const first = items.findIndex(ofStep)
  const rest = items.filter((item) => !ofStep(item))
  return rest.toSpliced(first < 0 ? rest.length : first, 0, ...saidOf(message, step, `${step}`, seq))
}

/**
 * Unfinished text of the step goes, and what came by the frames that were promised and not kept.
 * @param {readonly Item[]} items
 * @param {{ seq: number, step: number, reason: string }} event
 * @param {number} from
 * @returns {readonly Item[]}
 */
export function withoutUnkept(items, event, from) {
  const kept = items.filter(
    (item) => item.seq < from && !(isSaid(item) && item.step === event.step && !item.done),
  )
  // What went wrong with the model is told by the `model.retry` before.
  const why = event.reason === 'crash' ? ': the server was restarted' : ''
  return [...kept, noteItem(event.seq, `Step ${event.step} starts again${why}`)]
}

/**
 * @param {readonly Item[]} items
 * @param {string} id
 * @param {(old: Tool | undefined) => Tool | undefined} change
 * @returns {readonly Item[]}
 */
export function withTool(items, id, change) {
  const at = items.findIndex((item) => item.key === `tool:${id}`)
  const old = items[at]
  const next = change(old?.kind === 'tool' ? old : undefined)
  if (!next) return items
  return at < 0 ? [...items, next] : items.with(at, next)
}

/**
 * A later request for the same call stands in the place of the one before.
 * @param {readonly Item[]} items
 * @param {import('../../agent/events.ts').Event & { type: 'approval.requested' }} event
 * @param {number} seq
 * @returns {readonly Item[]}
 */
export function withApproval(items, event, seq) {
  const { tool_use_id: toolUseId, thread_id: threadId, run_id: runId, name, input, request, reason } = event
  const key = `approval:${toolUseId}`
  const at = items.findIndex((item) => item.key === key)
  /** @type {Approval} */
  const item = {
    kind: 'approval',
    key,
    seq,
    threadId,
    runId,
    toolUseId,
    name,
    input,
    request,
    reason,
    digest: event.digest,
    expires: event.expires_at,
    decision: null,
    by: '',
  }
  return at < 0 ? [...items, item] : items.with(at, item)
}

/**
 * @param {readonly Item[]} items
 * @param {{ tool_use_id: string, decision: 'approve' | 'deny' | 'expired', by: string }} event
 * @returns {readonly Item[]}
 */
export function withDecision(items, { tool_use_id, decision, by }) {
  return items.map((item) =>
    item.kind === 'approval' && item.toolUseId === tool_use_id ? { ...item, decision, by } : item,
  )
}

/**
 * A skill is shown with the call that loaded it, else by itself (asked for by slash or in the request).
 * @param {readonly Item[]} items
 * @param {Skill} loaded
 * @param {number} seq
 * @returns {readonly Item[]}
 */
export function withSkill(items, { name, category, digest }, seq) {
  const skill = { name, category, digest }
  const at = items.findIndex(
    (item) =>
      item.kind === 'tool' && item.name === 'load_skill' && !item.skill && field(item.input, 'name') === name,
  )
  const call = items[at]
  return call?.kind === 'tool'
    ? items.with(at, { ...call, skill })
    : [...items, { kind: 'skill', key: `skill:${seq}`, seq, skill }]
}

/**
 * @param {readonly Message[]} messages
 * @returns {Item[]}
 */
export function itemsOf(messages) {
  /** @type {readonly Item[]} */
  let items = []
  for (const [n, message] of messages.entries()) {
    if (message.role === 'assistant') items = [...items, ...saidOf(message, n, message.id, -1)]
    for (const block of message.content) {
      const id = field(block, message.role === 'assistant' ? 'id' : 'tool_use_id')
      if (block.type === 'tool_use' && id) {
        items = [...items, toolItem(id, field(block, 'name') ?? '', block['input'], -1)]
      } else if (block.type === 'tool_result' && id) {
        const state = block['is_error'] === true ? 'failed' : 'done'
        items = withTool(items, id, (old) => old && { ...old, state, preview: resultText(block['content']) })
      }
    }
  }
  return [...items]
}

/**
 * @param {Message} message
 * @param {number} step
 * @param {string} key
 * @param {number} seq
 * @returns {Said[]}
 */
function saidOf(message, step, key, seq) {
  return message.content.flatMap((block, n) => {
    const kind = block.type === 'text' || block.type === 'thinking' ? block.type : null
    const text = kind && field(block, kind)
    return kind && text ? [saidItem(kind, `${key}.${n}`, seq, step, text, true)] : []
  })
}

/**
 * @param {unknown} content
 * @returns {string}
 */
function resultText(content) {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block) => field(block, 'text') ?? named(block)).join('\n')
}

/**
 * An image in the words of its event.
 * @param {import('../../agent/message.ts').Block} block
 */
function named({ type, source }) {
  const kind = field(source, 'media_type')
  const data = field(source, 'data')
  return kind === null || data === null
    ? `[${type}]`
    : `[${kind}, ${Math.floor((data.length * 3) / 4)} bytes]`
}

/**
 * @param {'text' | 'thinking'} kind
 * @param {string} key
 * @param {number} seq
 * @param {number} step
 * @param {string} text
 * @param {boolean} done
 * @returns {Said}
 */
function saidItem(kind, key, seq, step, text, done) {
  return { kind, key, seq, step, text, points: Array.from(text).length, done }
}

/**
 * @param {string} id
 * @param {string} name
 * @param {unknown} input
 * @param {number} seq
 * @returns {Tool}
 */
export function toolItem(id, name, input, seq) {
  return {
    kind: 'tool',
    key: `tool:${id}`,
    seq,
    name,
    input,
    state: 'running',
    preview: '',
    ms: null,
    skill: null,
  }
}

/**
 * @param {number} seq
 * @param {string} text
 * @returns {Note}
 */
export function noteItem(seq, text) {
  return { kind: 'note', key: `note:${seq}`, seq, text }
}
