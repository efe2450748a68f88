// Short messages at the edge of the page, some of them with an action. Each closes after a while; hovering pauses the timers.

import { signal, type ReadonlySignal } from '@preact/signals'

import { TOAST_MS } from './limits.ts'
import type { Ports } from '../../lib/platform.ts'

interface Toast {
  readonly id: number
  readonly text: string
  /** The toast's button. Pressing it closes the toast without calling `onExpired`. */
  readonly action: { readonly label: string; readonly run: () => void } | null
  readonly isError: boolean
}

interface ToastOptions {
  readonly text: string
  readonly action?: Toast['action']
  readonly isError?: boolean
  readonly durationMs?: number
  /** Called when the toast expires or is closed without pressing its button. */
  readonly onExpired?: () => void
}

export interface Toasts {
  readonly list: ReadonlySignal<readonly Toast[]>
  show(options: ToastOptions): number
  /** Pauses all timers. */
  readonly pause: () => void
  /** Resumes all timers. */
  readonly resume: () => void
  /** Restarts all timers, because a keyboard user is moving to a toast's button. */
  readonly restart: () => void
  /** Closes a toast and runs its action. */
  runAction(id: number): void
  /** Closes a toast as if it had expired. */
  close(id: number): void
  /** Closes all toasts, because the page is closing. */
  readonly closeAll: () => void
}

interface ToastTimer {
  readonly durationMs: number
  remainingMs: number
  startedAt: number
  /** Incremented whenever the timer starts or pauses, so that an earlier timer does nothing when it ends. */
  runCount: number
  readonly onExpired: (() => void) | undefined
}

export function createToasts(ports: Pick<Ports, 'now' | 'wait'>): Toasts {
  const list = signal<readonly Toast[]>([])
  const timers = new Map<number, ToastTimer>()
  let lastId = 0
  let isPaused = false

  function remove(id: number): ToastTimer | undefined {
    const timer = timers.get(id)
    timers.delete(id)
    list.value = list.peek().filter((toast) => toast.id !== id)
    // If the hovered toast has disappeared, no pointer event will resume the timers.
    if (timers.size === 0) isPaused = false
    return timer
  }

  async function startTimer(id: number, timer: ToastTimer): Promise<void> {
    timer.startedAt = ports.now()
    const runCount = ++timer.runCount
    await ports.wait(timer.remainingMs)
    if (timers.get(id) === timer && timer.runCount === runCount && !isPaused) remove(id)?.onExpired?.()
  }

  return {
    list,
    show({ text, action = null, isError = false, durationMs = TOAST_MS, onExpired }) {
      const id = ++lastId
      const timer: ToastTimer = {
        durationMs,
        remainingMs: durationMs,
        startedAt: ports.now(),
        runCount: 0,
        onExpired,
      }
      timers.set(id, timer)
      list.value = [...list.peek(), { id, text, action, isError }]
      if (!isPaused) void startTimer(id, timer)
      return id
    },
    pause() {
      if (isPaused) return
      isPaused = true
      for (const timer of timers.values()) {
        timer.runCount++
        timer.remainingMs = Math.max(0, timer.remainingMs - (ports.now() - timer.startedAt))
      }
    },
    resume() {
      if (!isPaused) return
      isPaused = false
      for (const [id, timer] of timers) void startTimer(id, timer)
    },
    restart() {
      for (const [id, timer] of timers) {
        timer.remainingMs = timer.durationMs
        if (!isPaused) void startTimer(id, timer)
      }
    },
    runAction(id) {
      const action = list.peek().find((toast) => toast.id === id)?.action
      remove(id)
      action?.run()
    },
    close: (id) => remove(id)?.onExpired?.(),
    closeAll() {
      for (const id of timers.keys()) remove(id)?.onExpired?.()
    },
  }
}
