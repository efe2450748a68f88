// Identifies processes and ends them. Because a process ID may have been reused, a process is ended only if its start
// time matches the recorded one.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ProcessIdentity {
  readonly pid: number
  /** The start time as this system prints it. Only for comparison. */
  readonly startTime: string
  readonly command: string
}

function fromProc(pid: number): ProcessIdentity | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name may contain spaces and brackets. The fields after the last bracket begin with the state; the start time is
  // the twentieth.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTime] = [fields[0], fields[19]]
  if (state === 'Z' || startTime === undefined) return null
  return {
    pid,
    startTime,
    command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
  }
}

function fromPs(pid: number): ProcessIdentity | null {
  const line = execFileSync('ps', ['-o', 'lstart=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const match = /^(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/s.exec(line)
  return match?.[1] !== undefined ? { pid, startTime: match[1], command: match[2] ?? '' } : null
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
 * The nearest of the first three ancestors whose command matches; null if none does. npm itself is not the parent,
 * because it starts scripts through a shell.
 */
export function findAncestor(command: RegExp): ProcessIdentity | null {
  let pid: number | null = process.ppid
  for (let level = 0; level < 3 && pid !== null && pid > 1; level++) {
    const candidate = identify(pid)
    if (candidate && command.test(candidate.command)) return candidate
    pid = parentOf(pid)
  }
  return null
}

/** The process with this ID, or null if there is none. */
export function identify(pid: number): ProcessIdentity | null {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
  } catch {
    return null // It does not exist or belongs to another user.
  }
}

export function isAlive(identity: ProcessIdentity): boolean {
  const current = identify(identity.pid)
  return current !== null && current.startTime === identity.startTime
}

/** Ends this process, but never another one with the same ID. Returns false if it has already ended. */
export function end(identity: ProcessIdentity, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): boolean {
  if (!isAlive(identity)) return false
  try {
    process.kill(identity.pid, signal)
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

/** Processor time of a process in ms, in Linux's steps of 10; 0 if it has ended or cannot be read. Linux only. */
export function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 10 * (Number(fields[11]) + Number(fields[12]))
  } catch {
    return 0
  }
}
