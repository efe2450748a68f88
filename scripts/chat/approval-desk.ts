// Handles approvals while a run is followed: shows each waiting call, asks the user, and sends the decision.
// Without a terminal it stops following the run. The server decides whether a decision is valid.

import { harmlessLine } from '../lib/terminal.ts'
import { CHOICES, parseChoice } from './card.ts'

import type { Event } from '../../src/agent/events.ts'
import type { ClientFailure } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { ApprovalAnswer } from '../../src/thread/approvals/api.ts'
import type { AskLine } from '../lib/ask.ts'

type ApprovalRequest = Extract<Event, { type: 'approval.requested' }>

/** How often the user may mistype a choice. */
const ATTEMPTS_MAX = 3

export interface DeskPorts {
  /** Asks the user; null if there is no terminal. */
  readonly ask: AskLine | null
  /** Shows the waiting call, before the question. */
  show(call: ApprovalRequest): void
  say(line: string): void
  answer(call: ApprovalRequest, answer: ApprovalAnswer): Promise<Result<unknown, ClientFailure>>
  explain(failure: ClientFailure): string
  /** Stops following the run, because nobody can answer. */
  leave(): void
}

export class ApprovalDesk {
  readonly #ports: DeskPorts
  readonly #open = new Map<string, ApprovalRequest>()
  #shown: { readonly call: ApprovalRequest; readonly closed: AbortController } | null = null
  #busy = false

  constructor(ports: DeskPorts) {
    this.#ports = ports
  }

  /** The calls that are not decided yet, in the order of their requests. */
  get open(): readonly ApprovalRequest[] {
    return [...this.#open.values()]
  }

  handleEvent(event: Event): void {
    if (event.type === 'approval.requested') this.#open.set(event.tool_use_id, event)
    else if (event.type === 'approval.decided') this.#open.delete(event.tool_use_id)
    else if (event.type === 'run.waiting' && !this.#busy) void this.#settleAll()
    // Withdraw the question if somebody else answered, or the request was replaced.
    const shown = this.#shown
    if (shown && this.#open.get(shown.call.tool_use_id) !== shown.call) shown.closed.abort()
  }

  async #settleAll(): Promise<void> {
    this.#busy = true
    try {
      for (let next = this.open[0]; next; next = this.open[0]) if (!(await this.#settle(next))) return
    } finally {
      this.#busy = false
    }
  }

  /**
   * Asks about one call and sends the decision. Returns false if nobody can decide, or the server refused.
   */
  async #settle(call: ApprovalRequest): Promise<boolean> {
    const ports = this.#ports
    ports.show(call)
    const choice = ports.ask && (await this.#askForChoice(ports.ask, call))
    if (choice === 'closed') return true
    if (choice === null) {
      ports.leave()
      return false
    }
    const sent = await ports.answer(call, { ...choice, digest: call.digest })
    const code = sent.ok || sent.error.kind !== 'problem' ? null : sent.error.problem.code
    if (!sent.ok) ports.say(ports.explain(sent.error))
    if (!sent.ok && code !== 'tool_changed' && code !== 'approval_closed') {
      ports.leave()
      return false
    }
    // A replacement arrives as an event, before or after this line; keep it.
    if (this.#open.get(call.tool_use_id) === call) this.#open.delete(call.tool_use_id)
    return true
  }

  /** The user's choice, null if there is none, or `closed` if the call no longer waits. */
  async #askForChoice(
    ask: AskLine,
    call: ApprovalRequest,
  ): Promise<ReturnType<typeof parseChoice> | 'closed'> {
    const closed = new AbortController()
    this.#shown = { call, closed }
    try {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        const typed = await ask(CHOICES, closed.signal)
        if (closed.signal.aborted) return 'closed'
        if (typed === null) return null
        const choice = parseChoice(typed)
        if (choice) return choice
        if (typed !== '')
          this.#ports.say(`"${harmlessLine(typed).slice(0, 40)}" is not a choice; type y, n, r or t.`)
      }
      return null
    } finally {
      this.#shown = null
    }
  }
}
