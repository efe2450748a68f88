// Identifies processes and ends them. Because a process ID may have been reused, a process is ended only if its start
// time matches the recorded one.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface Identity {
  readonly pid: number
  /** The start time as this system prints it. Only for comparison. */
  readonly started: string
  readonly command: string
}

function fromProc(pid: number): Identity | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name may contain spaces and brackets. The fields after the last bracket begin with the state; the start time is
  // the twentieth.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, started] = [fields[0], fields[19]]
  if (state === 'Z' || started === undefined) return null
  return { pid, started, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() }
}

function fromPs(pid: number): Identity | null {
  const line = execFileSync('ps', ['-o', 'lstart=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const match = /^(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/s.exec(line)
  return match?.[1] !== undefined ? { pid, started: match[1], command: match[2] ?? '' } : null
}

/** The ID of the parent process; null if it cannot be determined. */
function parentOf(pid: number): number | null {
  try {
    const text =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) \S+ /s, '')
        : execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const parent = Number.parseInt(text, 10)
    return parent > 1 ? parent : null
  } catch {
    return null
  }
}

/**
 * The nearest of three ancestors whose command matches. npm starts scripts through a shell, so it is not the parent.
 */
export function ancestor(command: RegExp): Identity | null {
  let pid: number | null = process.ppid
  for (let up = 0; up < 3 && pid !== null && pid > 1; up++) {
    const above = identify(pid)
    if (above && command.test(above.command)) return above
    pid = parentOf(pid)
  }
  return null
}

/** The process with this ID, or null if there is none. */
export function identify(pid: number): Identity | null {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
  } catch {
    return null // It does not exist or belongs to another user.
  }
}

export function isAlive(known: Identity): boolean {
  const now = identify(known.pid)
  return now !== null && now.started === known.started
}

/** Ends this process, but never another one with the same ID. Returns false if it has already ended. */
export function end(known: Identity, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): boolean {
  if (!isAlive(known)) return false
  try {
    process.kill(known.pid, signal)
    return true
  } catch {
    return false // It ended between the check and the signal.
  }
}

/** Resident memory of a process in MB; 0 if it has ended or cannot be read. Linux only. */
export function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}
