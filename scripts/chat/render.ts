// Events of a run as lines of a terminal. Pure but for `write`; everything the server sent is made harmless first.

import { LiveText } from '../../src/client/transcript.ts'
import { harmless, oneLine, paint } from '../lib/terminal.ts'

import type { Event, Receipt } from '../../src/agent/events.ts'

const WIDTH = 100

export interface Screen {
  write(text: string): void
  readonly thinking: boolean
}

function short(text: string): string {
  const line = oneLine(text)
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line
}

/** The one argument that says most about a call: its path or paths, name, command or query, else all of them. */
function gist(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const fields: Record<string, unknown> = { ...input }
  for (const name of ['path', 'name', 'command', 'query', 'pattern', 'question']) {
    if (typeof fields[name] === 'string') return fields[name]
  }
  if (Array.isArray(fields['paths'])) return fields['paths'].join(', ')
  return JSON.stringify(input)
}

/** `skills: a, b · 3 steps · 1,234 tokens · $0.0021 · catalog 4`: what was charged, "at least" where part of it is a guess. */
export function receiptLine(receipt: Receipt): string {
  const { tokens, usd, estimated } = receipt.charged
  const least = estimated ? 'at least ' : ''
  const skills = receipt.skills.map((skill) => skill.name).join(', ')
  return oneLine(
    [
      skills === '' ? 'no skills' : `skills: ${skills}`,
      `${receipt.steps} ${receipt.steps === 1 ? 'step' : 'steps'}`,
      `${least}${tokens.toLocaleString('en-US')} tokens`,
      `${least}$${usd.toFixed(4)}`,
      `catalog ${receipt.catalog_version}`,
      receipt.model,
    ].join(' · '),
  )
}

export class Renderer {
  readonly #screen: Screen
  readonly #live = new LiveText()
  /** True while the cursor stands behind text that did not end its line. */
  #open = false
  #block = ''

  constructor(screen: Screen) {
    this.#screen = screen
  }

  /** One dim line of its own. */
  aside(text: string): void {
    this.#close()
    this.#screen.write(`${paint('dim', short(text))}\n`)
  }

  show(event: Event): void {
    switch (event.type) {
      case 'run.started':
        if (event.demo) this.aside('the demo model answers')
        break
      case 'step.started':
        this.#live.restart(event.step)
        break
      case 'step.restarted':
        this.#live.restart(event.step)
        this.aside(
          event.reason === 'crash'
            ? '… the server was restarted: this step starts again'
            : '… this step starts again',
        )
        break
      case 'text.delta':
        this.#text(event, (text) => text)
        break
      case 'thinking.delta':
        if (this.#screen.thinking) this.#text(event, (text) => paint('dim', text))
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
        // A loaded skill has a line of its own.
        if (event.name !== 'load_skill') this.aside(`→ ${event.name} ${gist(event.input)}`)
        break
      case 'tool.completed':
        if (event.is_error) this.aside(`✗ ${event.name}: ${event.preview}`)
        break
      case 'artifact.presented':
        this.aside(`◆ file ${event.path} (${event.media_type})`)
        break
      case 'input.requested':
        this.#question(event)
        break
      case 'approval.decided':
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
        this.#close()
        break
      case 'approval.requested':
      case 'run.waiting':
        this.#close() // the desk shows these
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

  #text(
    delta: Extract<Event, { type: 'text.delta' | 'thinking.delta' }>,
    style: (text: string) => string,
  ): void {
    const { added, replaced } = this.#live.apply(delta)
    // Thinking and answer, and what replaces a text that no longer stands, begin on lines of their own.
    const block = `${delta.step}/${delta.block}`
    if (replaced || block !== this.#block) this.#close()
    this.#block = block
    const text = harmless(added)
    if (text === '') return
    this.#screen.write(style(text))
    this.#open = !text.endsWith('\n')
  }

  #question({ question, context, options }: Extract<Event, { type: 'input.requested' }>): void {
    this.#close()
    const lines = [question, ...(context === null ? [] : [paint('dim', harmless(context))])]
    const choices = options.map((option, at) => `  ${at + 1}. ${oneLine(option)}`)
    this.#screen.write(`${[`? ${harmless(lines[0] ?? '')}`, ...lines.slice(1), ...choices].join('\n')}\n`)
  }

  #close(): void {
    if (this.#open) this.#screen.write('\n')
    this.#open = false
  }
}
