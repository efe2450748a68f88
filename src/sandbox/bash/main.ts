// The isolate of a shell: runs one job at a time and cancels it. Has no network and no bindings.

import { WorkerEntrypoint } from 'cloudflare:workers'

import { systemClock } from '../../lib/clock.ts'
import { randomToken } from '../../lib/ids.ts'
import { BASH_COLLECT_AFTER_MS, BASH_ABANDONED_AFTER_MS } from './limits.ts'
import type { Guest, GuestHost, GuestJob } from '../guest.ts'
import type { Control } from './control.ts'
import { runBash, type SpentResult } from './run.ts'
import * as shell from './shell.js'

/** The running job. Several Durable Objects may call the isolate. */
let current: { readonly id: string; readonly control: Control } | null = null
/** Whether a job was stopped. It may have left state behind, so this isolate accepts no more jobs. */
let spent = false

/** Modules that are loaded when a job first needs them. */
const MODULES = {
  jq: async (): Promise<WebAssembly.Module> => (await import('./jq.wasm')).default,
  sqlite: async (): Promise<WebAssembly.Module> => (await import('./sqlite.wasm')).default,
}

/**
 * Collects garbage. Exists only in the local workerd (scripts/workerd/miniflare.ts). The engine itself collects garbage
 * only when it needs memory, which an idle isolate does not.
 */
const { gc: collect } = globalThis as { readonly gc?: () => void }

// oxlint-disable-next-line import/no-default-export -- the platform expects the entry point there
export default class extends WorkerEntrypoint implements Guest {
  /** If the result has `spent`, this isolate accepts no more jobs, and the host must use another id. */
  async run(
    job: GuestJob,
    host: GuestHost,
  ): Promise<SpentResult | { readonly busy: true; readonly spent?: true }> {
    if (spent) return { busy: true, spent: true }
    if (current && systemClock() - current.control.lastSeenAt < BASH_ABANDONED_AFTER_MS) return { busy: true }
    // A job whose caller disappeared stops running and never releases the isolate.
    if (current) {
      spent = true
      return { busy: true, spent: true }
    }
    const { control, result } = runBash(job, host, {
      shell,
      now: systemClock,
      fresh: () => randomToken(4),
      wasm: async (name) => MODULES[name](),
    })
    current = { id: job.id, control }
    const startedAt = systemClock()
    try {
      const done = await result
      spent = done.spent === true
      if (!spent && systemClock() - startedAt >= BASH_COLLECT_AFTER_MS) collect?.()
      return done
    } catch (error) {
      spent = true
      throw error
    } finally {
      current = null
    }
  }

  /** Does nothing for a job that does not run here. */
  async cancel(id: string): Promise<void> {
    if (current?.id === id) current.control.stop('cancelled')
  }

  async ping(): Promise<void> {}
}
