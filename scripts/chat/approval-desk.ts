// Handles approvals while a run is followed: shows each waiting call, asks the user, and sends the decision.
// Without a terminal it stops following the run. The server decides whether a decision is valid.

import { harmlessLine } from '../lib/terminal.ts'
import { CHOICE_PROMPT, parseChoice } from './card.ts'

import type { Event } from '../../src/agent/events.ts'
import type { ClientFailure } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { ApprovalAnswer } from '../../src/thread/approvals/api.ts'
import type { AskLine } from '../lib/ask.ts'

type ApprovalRequest = Extract<Event, { type: 'approval.requested' }>

/** Maximum number of attempts to type a valid choice. */
const CHOICE_ATTEMPTS_MAX = 3

export interface DeskPorts {
  /** Asks the user; null if there is no terminal. */
  readonly ask: AskLine | null
  /** Shows the waiting call, before the question. */
  show(call: ApprovalRequest): void
  say(line: string): void
  sendDecision(call: ApprovalRequest, answer: ApprovalAnswer): Promise<Result<unknown, ClientFailure>>
  explain(failure: ClientFailure): string
  /** Stops following the run, because nobody can answer. */
  stopFollowing(): void
}

export class ApprovalDesk {
  readonly #ports: DeskPorts
  readonly #openCalls = new Map<string, ApprovalRequest>()
  #currentQuestion: { readonly call: ApprovalRequest; readonly closed: AbortController } | null = null
  #isSettling = false

  constructor(ports: DeskPorts) {
    this.#ports = ports
  }

  /** The calls that are not decided yet, in the order of their requests. */
  get openCalls(): readonly ApprovalRequest[] {
    return [...this.#openCalls.values()]
  }

  handleEvent(event: Event): void {
    if (event.type === 'approval.requested') this.#openCalls.set(event.tool_use_id, event)
    else if (event.type === 'approval.decided') this.#openCalls.delete(event.tool_use_id)
    else if (event.type === 'run.waiting' && !this.#isSettling) void this.#settleAll()
    // Withdraw the question if somebody else answered, or the request was replaced.
    const question = this.#currentQuestion
    if (question && this.#openCalls.get(question.call.tool_use_id) !== question.call) question.closed.abort()
  }

  async #settleAll(): Promise<void> {
    this.#isSettling = true
    try {
      for (let next = this.openCalls[0]; next; next = this.openCalls[0])
        if (!(await this.#settle(next))) return
    } finally {
      this.#isSettling = false
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
      ports.stopFollowing()
      return false
    }
    const result = await ports.sendDecision(call, { ...choice, digest: call.digest })
    const code = result.ok || result.error.kind !== 'problem' ? null : result.error.problem.code
    if (!result.ok) ports.say(ports.explain(result.error))
    if (!result.ok && code !== 'tool_changed' && code !== 'approval_closed') {
      ports.stopFollowing()
      return false
    }
    // A replacement arrives as an event, before or after this line; keep it.
    if (this.#openCalls.get(call.tool_use_id) === call) this.#openCalls.delete(call.tool_use_id)
    return true
  }

  /** The user's choice, null if there is none, or `closed` if the call no longer waits. */
  async #askForChoice(
    ask: AskLine,
    call: ApprovalRequest,
  ): Promise<ReturnType<typeof parseChoice> | 'closed'> {
    const closed = new AbortController()
    this.#currentQuestion = { call, closed }
    try {
      for (let attempt = 0; attempt < CHOICE_ATTEMPTS_MAX; attempt++) {
        const input = await ask(CHOICE_PROMPT, closed.signal)
        if (closed.signal.aborted) return 'closed'
        if (input === null) return null
        const choice = parseChoice(input)
        if (choice) return choice
        if (input !== '')
          this.#ports.say(`"${harmlessLine(input).slice(0, 40)}" is not a choice; type y, n, r or t.`)
      }
      return null
    } finally {
      this.#currentQuestion = null
    }
  }
}
