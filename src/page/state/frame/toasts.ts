// Short messages at the edge of the page, some of them with an action. Each closes after a while; hovering pauses the timers.

import { signal, type ReadonlySignal } from '@preact/signals'

import { TOAST_MS } from './limits.ts'
import type { Ports } from '../../lib/platform.ts'

interface Toast {
  readonly id: number
  readonly text: string
  /** The toast's button. Pressing it closes the toast without calling `onPassed`. */
  readonly action: { readonly label: string; readonly run: () => void } | null
  readonly bad: boolean
}

interface ToastWish {
  readonly text: string
  readonly action?: Toast['action']
  readonly bad?: boolean
  readonly ms?: number
  /** Called when the toast expires or is closed without pressing its button. */
  readonly onPassed?: () => void
}

export interface Toasts {
  readonly list: ReadonlySignal<readonly Toast[]>
  show(wish: ToastWish): number
  /** Pauses all timers. */
  readonly pause: () => void
  /** Resumes all timers. */
  readonly resume: () => void
  /** Closes a toast and runs its action. */
  act(id: number): void
  /** Closes a toast as if it had expired. */
  close(id: number): void
  /** Closes all toasts, because the page is closing. */
  readonly closeAll: () => void
}

interface Clock {
  left: number
  since: number
  /** Incremented whenever the timer starts or pauses, so that an earlier timer does nothing when it ends. */
  round: number
  readonly onPassed: (() => void) | undefined
}

export function createToasts(ports: Pick<Ports, 'now' | 'wait'>): Toasts {
  const list = signal<readonly Toast[]>([])
  const clocks = new Map<number, Clock>()
  let last = 0
  let paused = false

  function end(id: number): Clock | undefined {
    const clock = clocks.get(id)
    clocks.delete(id)
    list.value = list.peek().filter((toast) => toast.id !== id)
    // If the hovered toast has disappeared, no pointer event will resume the timers.
    if (clocks.size === 0) paused = false
    return clock
  }

  async function run(id: number, clock: Clock): Promise<void> {
    clock.since = ports.now()
    const round = ++clock.round
    await ports.wait(clock.left)
    if (clocks.get(id) === clock && clock.round === round && !paused) end(id)?.onPassed?.()
  }

  return {
    list,
    show({ text, action = null, bad = false, ms = TOAST_MS, onPassed }) {
      const id = ++last
      const clock: Clock = { left: ms, since: ports.now(), round: 0, onPassed }
      clocks.set(id, clock)
      list.value = [...list.peek(), { id, text, action, bad }]
      if (!paused) void run(id, clock)
      return id
    },
    pause() {
      if (paused) return
      paused = true
      for (const clock of clocks.values()) {
        clock.round++
        clock.left = Math.max(0, clock.left - (ports.now() - clock.since))
      }
    },
    resume() {
      if (!paused) return
      paused = false
      for (const [id, clock] of clocks) void run(id, clock)
    },
    act(id) {
      const action = list.peek().find((toast) => toast.id === id)?.action
      end(id)
      action?.run()
    },
    close: (id) => end(id)?.onPassed?.(),
    closeAll() {
      for (const id of clocks.keys()) end(id)?.onPassed?.()
    },
  }
}
