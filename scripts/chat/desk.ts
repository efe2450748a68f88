// Calls that wait for a person, while their run is followed: shows each, asks, and hands the answer on. Where nobody can be
// asked it leaves. The server decides what an answer is worth.

import { harmlessLine } from '../lib/terminal.ts'
import { CHOICES, parseChoice } from './card.ts'

import type { Event } from '../../src/agent/events.ts'
import type { ClientFailure } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { ApprovalAnswer } from '../../src/thread/api.ts'
import type { AskLine } from '../lib/ask.ts'

type Requested = Extract<Event, { type: 'approval.requested' }>

const TRIES = 3

export interface DeskPorts {
  /** Null: there is no terminal. */
  readonly ask: AskLine | null
  /** What waits, before the question. */
  show(asked: Requested): void
  say(line: string): void
  answer(asked: Requested, answer: ApprovalAnswer): Promise<Result<unknown, ClientFailure>>
  explain(failure: ClientFailure): string
  /** The run is to be followed no longer: nobody answers here. */
  leave(): void
}

export class Desk {
  readonly #ports: DeskPorts
  readonly #open = new Map<string, Requested>()
  #shown: { readonly asked: Requested; readonly gone: AbortController } | null = null
  #busy = false

  constructor(ports: DeskPorts) {
    this.#ports = ports
  }

  /** What waits and was not answered here, the first that was asked for in front. */
  get open(): readonly Requested[] {
    return [...this.#open.values()]
  }

  see(event: Event): void {
    if (event.type === 'approval.requested') this.#open.set(event.tool_use_id, event)
    else if (event.type === 'approval.decided') this.#open.delete(event.tool_use_id)
    else if (event.type === 'run.waiting' && !this.#busy) void this.#work()
    // Somebody else answered, or it is another request by now.
    const shown = this.#shown
    if (shown && this.#open.get(shown.asked.tool_use_id) !== shown.asked) shown.gone.abort()
  }

  async #work(): Promise<void> {
    this.#busy = true
    try {
      for (let next = this.open[0]; next; next = this.open[0]) if (!(await this.#settled(next))) return
    } finally {
      this.#busy = false
    }
  }

  /** False: nobody here answers. */
  async #settled(asked: Requested): Promise<boolean> {
    const ports = this.#ports
    ports.show(asked)
    const choice = ports.ask && (await this.#choice(ports.ask, asked))
    if (choice === 'gone') return true
    if (choice === null) {
      ports.leave()
      return false
    }
    const taken = await ports.answer(asked, { ...choice, digest: asked.digest })
    const code = taken.ok || taken.error.kind !== 'problem' ? null : taken.error.problem.code
    if (!taken.ok) ports.say(ports.explain(taken.error))
    if (!taken.ok && code !== 'tool_changed' && code !== 'approval_closed') {
      ports.leave()
      return false
    }
    // A new request in its place comes as an event, before or after this.
    if (this.#open.get(asked.tool_use_id) === asked) this.#open.delete(asked.tool_use_id)
    return true
  }

  async #choice(ask: AskLine, asked: Requested): Promise<ReturnType<typeof parseChoice> | 'gone'> {
    const gone = new AbortController()
    this.#shown = { asked, gone }
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
