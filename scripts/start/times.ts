// What a system counts of a process: how long it ran, and how long it could have run and was not let. Reads, never judges.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import type { Times } from './health.ts'

/** Linux counts in hundredths of a second for whoever reads it (USER_HZ), on every processor that Node runs on. */
const TICK_MS = 10

/** Both 0 for a process that is gone, and `starved` where no system says so. */
export function timesOf(pid: number): Times {
  return { starved: starvedMs(pid), cpu: cpuMs(pid) }
}

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

/** Milliseconds that all threads of this process have run. */
function cpuMs(pid: number): number {
  try {
    if (process.platform !== 'linux')
      return clockMs(execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }))
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may hold spaces and brackets; of what follows the last bracket the 12th and 13th are user and system time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0 // it is gone
  }
}

/** `[[days-]hours:]minutes:seconds[.hundredths]`, as `ps` writes CPU time, in milliseconds. */
export function clockMs(text: string): number {
  const [clock = '', days = '0'] = text.trim().split('-').reverse()
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return (Number(days) * 86_400 + seconds) * 1_000
}
