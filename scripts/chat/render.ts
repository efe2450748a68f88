// Renders the events of a run on a screen, with a short status. Text from the server is made harmless first. Writes
// nothing itself.

import { LiveText } from '../../src/client/transcript.ts'
import { harmless, harmlessLine, paint } from '../lib/terminal.ts'

import type { Event, Receipt } from '../../src/agent/events.ts'
import type { Screen } from './screen.ts'

const WIDTH = 100

function short(text: string): string {
  const line = harmlessLine(text)
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line
}

/** The most informative argument of a call: its path or paths, name, command or query, else all of them. */
function gist(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const fields: Record<string, unknown> = { ...input }
  for (const name of ['path', 'name', 'command', 'query', 'pattern', 'question']) {
    if (typeof fields[name] === 'string') return fields[name]
  }
  if (Array.isArray(fields['paths'])) return fields['paths'].join(', ')
  return JSON.stringify(input)
}

/**
 * `skills: a, b · 3 steps · 1,234 tokens · $0.0021 · catalog 4`: the usage charged, "at most" if a part is an upper
 * bound.
 */
export function receiptLine(receipt: Receipt): string {
  const { tokens, usd, estimated } = receipt.charged
  const most = estimated ? 'at most ' : ''
  const skills = receipt.skills.map((skill) => skill.name).join(', ')
  return harmlessLine(
    [
      skills === '' ? 'no skills' : `skills: ${skills}`,
      `${receipt.steps} ${receipt.steps === 1 ? 'step' : 'steps'}`,
      `${most}${tokens.toLocaleString('en-US')} tokens`,
      `${most}$${usd.toFixed(4)}`,
      `catalog ${receipt.catalog_version}`,
      receipt.model,
    ].join(' · '),
  )
}

export class Renderer {
  readonly #screen: Screen
  readonly #thinking: boolean
  readonly #live = new LiveText()
  #block = ''
  readonly #denied = new Set<string>()
  /** The connection dropped; reported once the outcome is known. */
  #dropped = false

  /** `thinking`: whether to show it. */
  constructor(screen: Screen, thinking: boolean) {
    this.#screen = screen
    this.#thinking = thinking
  }

  /** One dim line. */
  aside(text: string): void {
    this.#screen.line(short(text), 'dim')
  }

  /** Retries continue until an event arrives, or a reason is reported. */
  dropped(): void {
    this.#dropped = true
    this.#screen.status('… the connection dropped, trying again')
  }

  show(event: Event): void {
    if (this.#dropped) {
      this.#dropped = false
      // The restart gives the reason, too.
      if (event.type !== 'step.restarted') this.aside('… the connection had dropped, and is back')
    }
    this.#lines(event)
    const status = doing(event)
    if (status !== undefined) this.#screen.status(status)
  }

  #lines(event: Event): void {
    switch (event.type) {
      case 'run.started':
        if (event.demo) this.aside('the demo model answers')
        break
      case 'step.started':
        this.#live.restart(event.step)
        break
      case 'step.restarted':
        this.#live.restart(event.step)
        this.#screen.restart(
          event.reason === 'crash'
            ? '… the server was restarted: this step starts again'
            : '… this step starts again',
        )
        break
      case 'text.delta':
        this.#text(event, 'text')
        break
      case 'thinking.delta':
        if (this.#thinking) this.#text(event, 'thinking')
        break
      case 'skill.loaded':
        this.aside(`◆ skill ${event.name} (${event.category})`)
        break
      case 'skills.changed':
        this.aside(
          `◆ skills changed: catalog ${event.from_version} → ${event.to_version}, ${[...event.added, ...event.changed, ...event.removed].join(', ')}`,
        )
        break
      case 'tool.started':
        // A loaded skill has its own line.
        if (event.name !== 'load_skill') this.aside(`→ ${event.name} ${gist(event.input)}`)
        break
      case 'tool.completed':
        // A denied call did not fail; the line of the decision covers it.
        if (event.is_error && !this.#denied.has(event.tool_use_id))
          this.aside(`✗ ${event.name}: ${event.preview}`)
        break
      case 'artifact.presented':
        this.aside(`◆ file ${event.path} (${event.media_type})`)
        break
      case 'input.requested':
        this.#question(event)
        break
      case 'approval.decided':
        if (event.decision !== 'approve') this.#denied.add(event.tool_use_id)
        this.aside(`◆ ${event.decision} (${event.by})`)
        break
      case 'model.retry':
        this.aside(`… asked again in ${(event.wait_ms / 1000).toFixed(1)} s: ${event.detail}`)
        break
      case 'loop.warning':
      case 'budget.warning':
        this.aside(`! ${event.detail}`)
        break
      case 'message.completed':
      case 'run.completed':
      case 'run.failed':
      case 'run.cancelled':
      case 'approval.requested':
      case 'run.waiting':
        this.#screen.close() // the desk shows what waits
        break
      case 'run.accepted':
      case 'run.resumed':
      case 'tool.progress':
      case 'file.written':
      case 'thread.titled':
      case 'snapshot':
        break // nothing to show; types of later versions fall through to here as well
    }
  }

  #text(delta: Extract<Event, { type: 'text.delta' | 'thinking.delta' }>, kind: 'text' | 'thinking'): void {
    const { added, replaced } = this.#live.apply(delta)
    // Thinking, answers and replacements of void text begin on new lines.
    const block = `${delta.step}/${delta.block}`
    if (replaced || block !== this.#block) this.#screen.close()
    this.#block = block
    this.#screen.say(kind, added)
  }

  #question({ question, context, options }: Extract<Event, { type: 'input.requested' }>): void {
    const choices = options.map((option, at) => `  ${at + 1}. ${harmlessLine(option)}`)
    const why = context === null ? [] : [paint('dim', harmless(context))]
    this.#screen.line([`? ${harmless(question)}`, ...why, ...choices].join('\n'))
  }
}

/** The status after an event of this type, where it changes; null if there is none. */
const DOING: Partial<Record<Event['type'], string | null>> = {
  'run.accepted': '… starting',
  'run.started': '… thinking',
  'run.resumed': '… thinking',
  'step.started': '… thinking',
  'step.restarted': '… thinking',
  'tool.completed': '… thinking',
  'thinking.delta': '… thinking',
  'text.delta': '… writing',
  'model.retry': '… waiting to ask the model again',
  'approval.requested': null,
  'run.waiting': null,
  'run.completed': null,
  'run.failed': null,
  'run.cancelled': null,
}

function doing(event: Event): string | null | undefined {
  if (event.type === 'tool.started') return harmlessLine(`… ${event.name} ${gist(event.input)}`)
  if (event.type === 'run.accepted' && event.status === 'queued') return '… waiting for its turn'
  return DOING[event.type]
}
