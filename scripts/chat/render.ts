// Renders the events of a run on a screen, with a short status. Text from the server is made harmless first.
// Writes nothing itself.

import { textOf } from '../../src/agent/message.ts'
import { describeCall, type DescribedCall } from '../../src/client/call-text.ts'
import {
  decisionText,
  describeCatalogChange,
  describeCompaction,
  describeRetry,
  describeServerWait,
  RESTARTED_TEXT,
} from '../../src/client/run-text.ts'
import { LiveText } from '../../src/client/transcript.ts'
import { harmless, harmlessLine, paint } from '../lib/terminal.ts'
import { todoLines } from './plan-lines.ts'

import type { TodoItem } from '../../src/agent/todos.ts'
import type { Event, Receipt } from '../../src/agent/events.ts'
import type { Screen } from './screen.ts'
import type { Labels } from './tool-labels.ts'

type EventOf<T extends Event['type']> = Extract<Event, { readonly type: T }>

/** Maximum length of a line about an event; in a narrow window, what fits into two rows. */
const EVENT_LINE_MAX_CHARS = 100

/** Tools whose successful calls have an event of their own. */
const SELF_SHOWN: ReadonlySet<string> = new Set(['ask_clarification', 'write_todos'])

function shorten(text: string, columns: number): string {
  const line = harmlessLine(text)
  const charsMax = Math.min(EVENT_LINE_MAX_CHARS, 2 * columns - 4)
  return line.length > charsMax ? `${line.slice(0, charsMax - 1)}…` : line
}

/**
 * One line about a finished run: `skills: a, b · 3 steps · 1,234 tokens · $0.0021 · catalog 4 · MODEL`. Says
 * "at most" if the charged usage is partly an upper bound.
 */
export function receiptLine(receipt: Receipt): string {
  const { tokens, usd, estimated } = receipt.charged
  const atMost = estimated ? 'at most ' : ''
  const skills = receipt.skills.map((skill) => skill.name).join(', ')
  return harmlessLine(
    [
      skills === '' ? 'no skills' : `skills: ${skills}`,
      `${receipt.steps} ${receipt.steps === 1 ? 'step' : 'steps'}`,
      `${atMost}${tokens.toLocaleString('en-US')} tokens`,
      `${atMost}$${usd.toFixed(4)}`,
      `catalog ${receipt.catalog_version}`,
      receipt.model,
    ].join(' · '),
  )
}

export class Renderer {
  readonly #screen: Screen
  readonly #showsThinking: boolean
  readonly #liveText = new LiveText()
  #currentBlock = ''
  /** The output limit cut the last text off, so the next text continues it on the same line. */
  #isCut = false
  readonly #labels: Labels
  /** Calls that are not completed yet, by ID. */
  readonly #openCalls = new Map<string, Pick<DescribedCall, 'name' | 'input'>>()
  readonly #deniedCallIds = new Set<string>()
  /** The last plan that was shown. */
  #plan: readonly TodoItem[] | null = null
  /** The connection was lost, and no event has arrived since. */
  #isDisconnected = false

  /** `labels` are the tools' labels by name. */
  constructor(screen: Screen, showsThinking: boolean, labels: Labels) {
    this.#screen = screen
    this.#labels = labels
    this.#showsThinking = showsThinking
  }

  /** Shows one dim line, shortened. */
  note(text: string): void {
    this.#screen.line(shorten(text, this.#screen.columns), 'dim')
  }

  /** Shows that the connection was lost, until an event arrives. */
  showDisconnected(): void {
    this.#isDisconnected = true
    this.#screen.status('The connection was lost, trying again…')
  }

  show(event: Event): void {
    if (this.#isDisconnected) {
      this.#isDisconnected = false
      // The line for a restarted step gives the reason.
      if (event.type !== 'step.restarted') this.note('The connection was lost, and is back.')
    }
    this.#showLines(event)
    const status = this.#statusAfter(event)
    if (status !== undefined) this.#screen.status(status)
  }

  #showLines(event: Event): void {
    switch (event.type) {
      case 'run.started':
        if (event.demo) this.note('This answer comes from the demo model.')
        break
      case 'step.started':
        this.#liveText.restart(event.step)
        break
      case 'step.restarted':
        this.#liveText.restart(event.step)
        this.#screen.restart(event.reason === 'crash' ? `${RESTARTED_TEXT}.` : 'This step starts again.')
        break
      case 'text.delta':
        this.#showText(event, 'text')
        break
      case 'thinking.delta':
        if (this.#showsThinking) this.#showText(event, 'thinking')
        break
      case 'skill.loaded':
        // A call that loads a skill has its own line.
        if (event.via !== 'tool') this.note(`✓ Loaded ${event.name}`)
        break
      case 'skills.changed':
        this.note(describeCatalogChange(event))
        break
      case 'context.compacted':
        this.note(`◆ ${describeCompaction(event)}`)
        break
      case 'context.rebased':
        this.note(
          `◆ the conversation continues with ${event.model} in a new context window (${event.window})`,
        )
        break
      case 'todo.updated':
        for (const line of todoLines(event.items, this.#plan)) this.note(line)
        this.#plan = event.items
        break
      case 'run.steered':
        this.note(`> ${textOf(event.message)}`)
        break
      case 'tool.started':
        this.#openCalls.set(event.tool_use_id, event)
        break
      case 'tool.completed':
        this.#showCall(event)
        break
      case 'artifact.presented':
        this.note(`File: ${event.path} (${event.media_type})`)
        break
      case 'input.requested':
        this.#showQuestion(event)
        break
      case 'approval.decided':
        if (event.decision !== 'approve') this.#deniedCallIds.add(event.tool_use_id)
        this.note(
          `${event.decision === 'approve' ? '✓' : '✗'} ${this.#nameOf(event.tool_use_id)}: ${decisionText(event.decision, event.by)}`,
        )
        break
      case 'model.retry':
        this.note(describeRetry(event.detail, event.attempt + 1))
        break
      case 'loop.warning':
      case 'budget.warning':
        this.note(`! ${event.detail}`)
        break
      case 'approval.requested':
        this.#openCalls.set(event.tool_use_id, event)
        this.#screen.close() // the desk shows waiting calls
        break
      case 'message.completed':
        this.#isCut = event.model_stop === 'max_tokens'
        if (!this.#isCut) this.#screen.close()
        break
      case 'run.completed':
      case 'run.failed':
      case 'run.cancelled':
        this.#screen.close()
        break
      case 'run.waiting':
        this.#screen.close()
        if (event.reason === 'server') this.note(`${this.#waitText(event)}.`)
        break
      case 'run.accepted':
      case 'run.resumed':
      case 'tool.progress':
      case 'file.written':
      case 'thread.titled':
      case 'snapshot':
        break // nothing to show; event types of later versions are ignored as well
    }
  }

  #showCall({ tool_use_id: id, name, is_error: isError, preview }: EventOf<'tool.completed'>): void {
    const input = this.#openCalls.get(id)?.input ?? null
    this.#openCalls.delete(id)
    // A denied call did not fail; the event approval.decided has its own line. So do a question to the person and a plan.
    if (this.#deniedCallIds.has(id) || (SELF_SHOWN.has(name) && !isError)) return
    const line = this.#lineOf({ name, input, state: isError ? 'failed' : 'done' })
    this.note(isError ? `✗ ${line}: ${preview}` : `✓ ${line}`)
  }

  #lineOf({ name, input, state }: Omit<DescribedCall, 'skillName'>): string {
    const { verb, object } = describeCall(
      { name, input, state, skillName: null },
      this.#labels.get(name) ?? null,
    )
    return object === '' ? verb : `${verb} ${object}`
  }

  #waitText({ tool_use_ids: ids, since }: EventOf<'run.waiting'>): string {
    const names = ids.map((id) => this.#nameOf(id))
    return describeServerWait(names, since)
  }

  #nameOf(callId: string): string {
    return this.#openCalls.get(callId)?.name ?? 'a call'
  }

  #showText(delta: EventOf<'text.delta' | 'thinking.delta'>, kind: 'text' | 'thinking'): void {
    const { added, replaced } = this.#liveText.apply(delta)
    // Start a new line for each block, and for text that replaces earlier text.
    const block = `${delta.step}/${delta.block}`
    const continues = this.#isCut && kind === 'text'
    if (replaced || (block !== this.#currentBlock && !continues)) this.#screen.close()
    if (kind === 'text') this.#isCut = false
    this.#currentBlock = block
    this.#screen.say(kind, added)
  }

  #statusAfter(event: Event): string | null | undefined {
    if (event.type === 'tool.started') return harmlessLine(`${this.#lineOf({ ...event, state: 'running' })}…`)
    if (event.type === 'run.accepted' && event.status === 'queued') return 'Waiting for its turn…'
    if (event.type === 'run.waiting' && event.reason === 'server')
      return harmlessLine(`${this.#waitText(event)}…`)
    return STATUS_AFTER[event.type]
  }

  #showQuestion({ question, context, options }: EventOf<'input.requested'>): void {
    const choices = options.map((option, index) => `  ${index + 1}. ${harmlessLine(option)}`)
    const contextLines = context === null ? [] : [paint('dim', harmless(context))]
    this.#screen.line([`? ${harmless(question)}`, ...contextLines, ...choices].join('\n'))
  }
}

/** The status after an event of this type: null clears it, and a missing type leaves it unchanged. */
const STATUS_AFTER: Partial<Record<Event['type'], string | null>> = {
  'run.accepted': 'Starting…',
  'run.started': 'Thinking…',
  'run.resumed': 'Thinking…',
  'step.started': 'Thinking…',
  'step.restarted': 'Thinking…',
  'tool.completed': 'Thinking…',
  'thinking.delta': 'Thinking…',
  'text.delta': 'Writing…',
  'model.retry': 'Waiting to call the model again…',
  'approval.requested': null,
  'run.waiting': null,
  'run.completed': null,
  'run.failed': null,
  'run.cancelled': null,
}
