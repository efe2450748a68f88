// Replaces the outside world of a thread in tests, and kills a thread at a named point. Kept as module state: the
// tested objects run in the same isolate and lose everything else when they die.

import { crashPlan } from '../../src/thread/rows/checkpoint.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'

const plans = new Map<string, Partial<ThreadPorts>>()

/** From now on, new instances of this thread use these ports; living instances keep theirs. */
export function plan(workspace: string, threadId: string, ports: Partial<ThreadPorts>): void {
  plans.set(`${workspace}/${threadId}`, ports)
}

export function planned(name: string, real: ThreadPorts): ThreadPorts {
  return { ...real, ...plans.get(name) }
}

/** `lose`: what is not yet on disk is lost, as with kill -9 at that moment. `keep`: it is written first. */
export type CrashMode = 'lose' | 'keep'

export interface Crash {
  /** The points passed so far, in order. */
  readonly points: string[]
  /** How often the object was killed. */
  fired: number
  /** Reports a point in the outside world, which the object passes while it waits. */
  readonly pass: (point: string) => Promise<void>
}

/**
 * Watches the points that one thread passes, and kills it at those for which `when` returns a mode. What follows the
 * point never runs. Only one thread can be watched at a time.
 */
export function watchPoints(
  name: string,
  when: (index: number, point: string, crash: Crash) => CrashMode | null,
): Crash {
  // Runs in the living instance.
  let passHere: Crash['pass'] = async () => undefined
  const crash: Crash = { points: [], fired: 0, pass: (point) => passHere(point) }
  crashPlan.hook = async (point, ctx) => {
    if (ctx.id.name !== name) return
    passHere = async (untrusted) => crashPlan.hook?.(untrusted, ctx)
    crash.points.push(point)
    const mode = when(crash.points.length - 1, point, crash)
    if (mode === null) return
    crash.fired += 1
    if (mode === 'keep') await ctx.storage.sync()
    ctx.abort(`killed at ${point}`)
    await new Promise(() => undefined)
  }
  return crash
}

/** The first time the thread passes `point`, it waits there until `act` is done. */
export function pauseAt(
  name: string,
  point: string,
  act: (storage: DurableObjectStorage) => Promise<unknown>,
): void {
  let met = false
  crashPlan.hook = async (passed, ctx) => {
    if (ctx.id.name !== name || passed !== point || met) return
    met = true
    await act(ctx.storage)
  }
}

export function unwatch(): void {
  crashPlan.hook = null
}
