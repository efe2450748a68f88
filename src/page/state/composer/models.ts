// The model, effort and budget for the next messages, remembered per thread in this browser.

import { computed, signal, type ReadonlySignal } from '@preact/signals'

import type { Effort } from '../../../agent/model.ts'
import type { Client } from '../../../client/client.ts'
import { listModels, type ModelInfo } from '../../../client/skills.ts'
import { BUDGET_MAX } from './limits.ts'
import type { Ports } from '../../lib/platform.ts'
import { stringIn, numberIn, parseJson, valueIn } from '../../lib/fields.ts'
import type { Options } from '../chat/turn.ts'

interface Choice {
  /** Null selects the server's default. */
  readonly model: string | null
  readonly effort: Effort | null
  /** The budget per answer in dollars, or null for the default. */
  readonly usd: number | null
  /** The maximum number of steps per answer, or null for the default. */
  readonly steps: number | null
  /** Whether a new thread keeps a plan. */
  readonly plan: boolean
}

/** The efforts by their names for people, the lowest first. */
export const EFFORT_NAMES: Readonly<Record<Effort, string>> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Extra',
  max: 'Max',
}
const DEFAULT_CHOICE: Choice = { model: null, effort: null, usd: null, steps: null, plan: false }
const STORAGE_PREFIX = 'satchel.choice.'

interface NextModel {
  readonly model: string
  /** Whether a message has asked for it. */
  readonly isSent: boolean
}

export interface Models {
  /** The available models, the default first; null until they have been read. */
  readonly list: ReadonlySignal<readonly ModelInfo[] | null>
  readonly choice: ReadonlySignal<Choice>
  /** The model that the open thread is to continue with, or null if it keeps its model. Forgotten when another thread is opened. */
  readonly nextModel: ReadonlySignal<NextModel | null>
  read(): Promise<void>
  /** Switches to the choice of another thread; null for a new one. */
  open(threadId: string | null): void
  /** Stores the choice for the thread that a new conversation was assigned. */
  assignThread(threadId: string): void
  choose(change: Partial<Choice>): void
  /** Selects the model of the open thread's next message; null: the thread's own. */
  continueWith(model: string | null): void
  /** Returns `options`, and records that a message asks for the next model. */
  take(isNew: boolean, threadModel: string | null): Options
  /** The message was refused, so the next one asks again. */
  giveBack(): void
  /** The options to send with a message. `threadModel`: null if it can still be chosen, or is not known yet. */
  options(isNew: boolean, threadModel: string | null): Options
  /** Deletes all choices stored in this browser. */
  clear(): void
}

export function createModels(
  { browser }: Pick<Ports, 'browser'>,
  client: ReadonlySignal<Client | null>,
): Models {
  const list = signal<readonly ModelInfo[] | null>(null)
  const choice = signal<Choice>(DEFAULT_CHOICE)
  const nextModel = signal<NextModel | null>(null)
  let currentThread: string | null = null

  function save(): void {
    const name = STORAGE_PREFIX + (currentThread ?? 'new')
    if (isSameChoice(choice.peek(), DEFAULT_CHOICE)) browser.remove(name)
    else browser.set(name, JSON.stringify(choice.peek()))
  }

  function setSent(isSent: boolean): void {
    const next = nextModel.peek()
    if (next) nextModel.value = { ...next, isSent }
  }

  const models: Models = {
    list,
    choice: computed(() => choice.value),
    nextModel,
    async read() {
      const activeClient = client.peek()
      if (!activeClient) return
      const result = await listModels(activeClient)
      if (result.ok && activeClient === client.peek()) list.value = result.value
    },
    open(threadId) {
      currentThread = threadId
      nextModel.value = null
      choice.value = choiceIn(parseJson(browser.get(STORAGE_PREFIX + (threadId ?? 'new'))))
    },
    assignThread(threadId) {
      currentThread = threadId
      save()
    },
    choose(change) {
      choice.value = { ...choice.peek(), ...change }
      save()
    },
    continueWith(model) {
      nextModel.value = model === null ? null : { model, isSent: false }
    },
    take(isNew, threadModel) {
      const options = models.options(isNew, threadModel)
      if (options.rebase) setSent(true)
      return options
    },
    giveBack: () => setSent(false),
    options(isNew, threadModel) {
      const { model, effort, usd, steps, plan } = choice.peek()
      const available = list.peek() ?? []
      // The server would reject a model that it no longer offers.
      const isAvailable = available.some(({ id }) => id === model)
      const next = nextModel.peek()
      const used = (isNew ? null : next?.model) ?? threadModel ?? (isAvailable ? model : null)
      const isRebase = !isNew && next !== null && !next.isSent && next.model !== threadModel
      const info = available.find(({ id, default: isDefault }) => (used === null ? isDefault : id === used))
      // Some models refuse a call with an effort that they do not know.
      const isAccepted = effort !== null && (info?.efforts.includes(effort) ?? true)
      const budget = { ...(usd === null ? {} : { usd }), ...(steps === null ? {} : { steps }) }
      return {
        ...(isNew && model !== null && isAvailable ? { model } : {}),
        ...(isRebase ? { model: next.model, rebase: true as const } : {}),
        ...(isNew && plan ? { plan: true as const } : {}),
        ...(isAccepted ? { effort } : {}),
        ...(Object.keys(budget).length === 0 ? {} : { budget }),
      }
    },
    clear() {
      for (const name of browser.names()) if (name.startsWith(STORAGE_PREFIX)) browser.remove(name)
      choice.value = DEFAULT_CHOICE
      nextModel.value = null
      list.value = null
    },
  }
  return models
}

/** Parses a limit typed by the user into a number that the server accepts; null if it is not a positive number. */
export function parseLimit(typed: string, kind: keyof typeof BUDGET_MAX): number | null {
  const value = Number(typed.replace(',', '.'))
  if (typed.trim() === '' || !Number.isFinite(value) || value <= 0) return null
  const bounded = Math.min(value, BUDGET_MAX[kind])
  return kind === 'steps' ? Math.max(1, Math.round(bounded)) : bounded
}

function isSameChoice(a: Choice, b: Choice): boolean {
  const keys = ['model', 'effort', 'usd', 'steps', 'plan'] as const
  return keys.every((key) => a[key] === b[key])
}

function choiceIn(stored: unknown): Choice {
  const effort = stringIn(stored, 'effort')
  return {
    model: stringIn(stored, 'model'),
    effort: isEffort(effort) ? effort : null,
    usd: limitIn(stored, 'usd'),
    steps: limitIn(stored, 'steps'),
    plan: valueIn(stored, 'plan') === true,
  }
}

function limitIn(stored: unknown, kind: keyof typeof BUDGET_MAX): number | null {
  const value = numberIn(stored, kind)
  return value === null ? null : parseLimit(String(value), kind)
}

function isEffort(name: string | null): name is Effort {
  return name !== null && Object.hasOwn(EFFORT_NAMES, name)
}
