// The model, effort and budget for the next messages, remembered per thread in this browser.

import { computed, signal, type ReadonlySignal } from '@preact/signals'

import type { Effort } from '../../../agent/model.ts'
import type { Client } from '../../../client/client.ts'
import { models, type ModelInfo } from '../../../client/skills.ts'
import { BUDGET_MOST } from './limits.ts'
import type { Ports } from '../../lib/platform.ts'
import { field, numberIn, parseJson } from '../../lib/fields.ts'
import type { Options } from '../chat/conversation.ts'

interface Choice {
  /** Null selects the server's default. */
  readonly model: string | null
  readonly effort: Effort | null
  /** The budget per answer in dollars, or null for the default. */
  readonly usd: number | null
  /** The maximum number of steps per answer, or null for the default. */
  readonly steps: number | null
}

export const EFFORTS: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max']
const AS_IS: Choice = { model: null, effort: null, usd: null, steps: null }
const PREFIX = 'satchel.choice.'

export interface Models {
  /** The available models, the default first; null until they have been read. */
  readonly list: ReadonlySignal<readonly ModelInfo[] | null>
  readonly choice: ReadonlySignal<Choice>
  read(): Promise<void>
  /** Switches to the choice of another thread; null for a new one. */
  open(threadId: string | null): void
  /** Stores the choice for the thread that a new conversation was assigned. */
  settle(threadId: string): void
  choose(change: Partial<Choice>): void
  /** The options to send with a message. */
  options(isNew: boolean): Options
  /** Deletes all choices stored in this browser. */
  clear(): void
}

export function createModels(
  { browser }: Pick<Ports, 'browser'>,
  client: ReadonlySignal<Client | null>,
): Models {
  const list = signal<readonly ModelInfo[] | null>(null)
  const choice = signal<Choice>(AS_IS)
  let at: string | null = null

  function keep(): void {
    const name = PREFIX + (at ?? 'new')
    if (sameAs(choice.peek(), AS_IS)) browser.remove(name)
    else browser.set(name, JSON.stringify(choice.peek()))
  }

  return {
    list,
    choice: computed(() => choice.value),
    async read() {
      const by = client.peek()
      if (!by) return
      const read = await models(by)
      if (read.ok && by === client.peek()) list.value = read.value
    },
    open(threadId) {
      at = threadId
      choice.value = choiceIn(parseJson(browser.get(PREFIX + (threadId ?? 'new'))))
    },
    settle(threadId) {
      at = threadId
      keep()
    },
    choose(change) {
      choice.value = { ...choice.peek(), ...change }
      keep()
    },
    options(isNew) {
      const { model, effort, usd, steps } = choice.peek()
      // A thread's model cannot be changed, and the server would reject a model that it no longer offers.
      const served = list.peek()?.some(({ id }) => id === model) ?? false
      const budget = { ...(usd === null ? {} : { usd }), ...(steps === null ? {} : { steps }) }
      return {
        ...(isNew && model !== null && served ? { model } : {}),
        ...(effort === null ? {} : { effort }),
        ...(Object.keys(budget).length === 0 ? {} : { budget }),
      }
    },
    clear() {
      for (const name of browser.names()) if (name.startsWith(PREFIX)) browser.remove(name)
      choice.value = AS_IS
      list.value = null
    },
  }
}

/** Parses a limit typed by the user into a number that the server accepts; null if it is not a positive number. */
export function limitOf(typed: string, kind: keyof typeof BUDGET_MOST): number | null {
  const value = Number(typed.replace(',', '.'))
  if (typed.trim() === '' || !Number.isFinite(value) || value <= 0) return null
  const bounded = Math.min(value, BUDGET_MOST[kind])
  return kind === 'steps' ? Math.max(1, Math.round(bounded)) : bounded
}

function sameAs(a: Choice, b: Choice): boolean {
  return a.model === b.model && a.effort === b.effort && a.usd === b.usd && a.steps === b.steps
}

function choiceIn(read: unknown): Choice {
  const effort = field(read, 'effort')
  return {
    model: field(read, 'model'),
    effort: EFFORTS.find((one) => one === effort) ?? null,
    usd: limitIn(read, 'usd'),
    steps: limitIn(read, 'steps'),
  }
}

function limitIn(read: unknown, kind: keyof typeof BUDGET_MOST): number | null {
  const value = numberIn(read, kind)
  return value === null ? null : limitOf(String(value), kind)
}
