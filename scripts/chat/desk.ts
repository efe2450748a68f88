// Approvals while a run is followed: shows each waiting call, asks, and sends the answer. Without a terminal it
// leaves the run. The server decides whether an answer is valid.

import { harmlessLine } from '../lib/terminal.ts'
import { CHOICES, parseChoice } from './card.ts'

import type { Event } from '../../src/agent/events.ts'
import type { ClientFailure } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { ApprovalAnswer } from '../../src/thread/approvals/api.ts'
import type { AskLine } from '../lib/ask.ts'

type Requested = Extract<Event, { type: 'approval.requested' }>

const TRIES = 3

export interface DeskPorts {
  /** Null if there is no terminal. */
  readonly ask: AskLine | null
  /** Shows the waiting call before the question. */
  show(call: Requested): void
  say(line: string): void
  answer(call: Requested, answer: ApprovalAnswer): Promise<Result<unknown, ClientFailure>>
  explain(failure: ClientFailure): string
  /** Stops following the run, because nobody can answer. */
  leave(): void
}

export class Desk {
  readonly #ports: DeskPorts
  readonly #open = new Map<string, Requested>()
  #shown: { readonly call: Requested; readonly gone: AbortController } | null = null
  #busy = false

  constructor(ports: DeskPorts) {
    this.#ports = ports
  }

  /** Waiting calls without an answer, in the order of their requests. */
  get open(): readonly Requested[] {
    return [...this.#open.values()]
  }

  see(event: Event): void {
    if (event.type === 'approval.requested') this.#open.set(event.tool_use_id, event)
    else if (event.type === 'approval.decided') this.#open.delete(event.tool_use_id)
    else if (event.type === 'run.waiting' && !this.#busy) void this.#work()
    // Somebody else answered, or the request was replaced.
    const shown = this.#shown
    if (shown && this.#open.get(shown.call.tool_use_id) !== shown.call) shown.gone.abort()
  }

  async #work(): Promise<void> {
    this.#busy = true
    try {
      for (let next = this.open[0]; next; next = this.open[0]) if (!(await this.#settled(next))) return
    } finally {
      this.#busy = false
    }
  }

  /** False: nobody can answer. */
  async #settled(call: Requested): Promise<boolean> {
    const ports = this.#ports
    ports.show(call)
    const choice = ports.ask && (await this.#choice(ports.ask, call))
    if (choice === 'gone') return true
    if (choice === null) {
      ports.leave()
      return false
    }
    const taken = await ports.answer(call, { ...choice, digest: call.digest })
    const code = taken.ok || taken.error.kind !== 'problem' ? null : taken.error.problem.code
    if (!taken.ok) ports.say(ports.explain(taken.error))
    if (!taken.ok && code !== 'tool_changed' && code !== 'approval_closed') {
      ports.leave()
      return false
    }
    // A replacement arrives as an event, before or after this.
    if (this.#open.get(call.tool_use_id) === call) this.#open.delete(call.tool_use_id)
    return true
  }

  async #choice(ask: AskLine, call: Requested): Promise<ReturnType<typeof parseChoice> | 'gone'> {
    const gone = new AbortController()
    this.#shown = { call, gone }
    try {
      for (let tries = 0; tries < TRIES; tries++) {
        const typed = await ask(CHOICES, gone.signal)
        if (gone.signal.aborted) return 'gone'
        if (typed === null) return null
        const choice = parseChoice(typed)
        if (choice) return choice
        if (typed !== '') this.#ports.say(`There is no choice "${harmlessLine(typed).slice(0, 40)}".`)
      }
      return null
    } finally {
      this.#shown = null
    }
  }
}
