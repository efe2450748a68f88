// Waiting for the end of a run without a stream.

import type { Core } from '../core.ts'

/** Resolves when the run has ended or its thread is gone, or after `waitMs`; the caller reads which from the rows. */
export async function waitForEnd(core: Core, runId: string, waitMs: number): Promise<void> {
  const ended = (): boolean => core.closing || core.runs.get(runId)?.endedAt !== null
  if (ended()) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), waitMs)
  })
  try {
    while (!ended()) if ((await Promise.race([core.ends.next(runId), tooLong])) === 'late') return
  } finally {
    clearTimeout(timer)
  }
}
