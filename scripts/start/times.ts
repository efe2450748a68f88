// Reads process times from the system: CPU time, and time spent waiting for a processor.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import type { Times } from './health.ts'

/** The unit of Linux's CPU times (USER_HZ): hundredths of a second on every processor that Node supports. */
const TICK_MS = 10

/** The times of a process: 0 if it has ended, or if the system does not report them. */
export function timesOf(pid: number): Times {
  return { starvedMs: starvedMs(pid), ...workOf(pid) }
}

/**
 * Milliseconds for which the main thread of this process has waited for a processor; 0 if the system does not report it.
 */
export function starvedMs(pid: number): number {
  try {
    // The file contains the run time and the wait time in nanoseconds, and the number of time slices. It covers only the
    // main thread, which handles requests in workerd.
    const waited = Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1])
    return Number.isFinite(waited) ? waited / 1e6 : 0
  } catch {
    return 0 // The system is not Linux, or the process has ended.
  }
}

/** CPU time of all threads of this process, and whether its main thread is waiting for the disk. */
function workOf(pid: number): Pick<Times, 'cpuMs' | 'waitsForDisk'> {
  try {
    if (process.platform !== 'linux') {
      const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' })
      return { cpuMs: psTimeMs(time), waitsForDisk: false }
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may contain spaces and brackets; after the last bracket, field 1 is the state, and fields 12 and 13 are user
    // and system time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      waitsForDisk: fields[0] === 'D',
    }
  } catch {
    return { cpuMs: 0, waitsForDisk: false } // The process has ended.
  }
}

/** `[[days-]hours:]minutes:seconds[.hundredths]`, as `ps` writes CPU time, in milliseconds. */
export function psTimeMs(text: string): number {
  const [time = '', days = '0'] = text.trim().split('-').reverse()
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return (Number(days) * 86_400 + seconds) * 1_000
}
