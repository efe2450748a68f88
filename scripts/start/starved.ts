// How long a process could have run and was not let: what Linux counts for each. Reads, never judges.

import { readFileSync } from 'node:fs'

/** Milliseconds that the main thread of this process has waited for a processor; 0 where no system says so. */
export function starvedMs(pid: number): number {
  try {
    // Time run, time waited (both in nanoseconds), turns. The main thread's alone, and workerd's is the one that answers.
    const waited = Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1])
    return Number.isFinite(waited) ? waited / 1e6 : 0
  } catch {
    return 0 // not Linux, or it is gone
  }
}
