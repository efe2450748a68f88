// Manages satchel.pid, which records the process that uses a state folder, because two runtimes on one folder would corrupt
// each other's databases. If that process is still running, a new start is refused. If it was killed, its remaining
// processes are ended, each by its own ID.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { systemClock } from '../../src/lib/clock.ts'
import { isObject } from '../../src/lib/json-object.ts'
import { end, identify, isAlive, type ProcessIdentity } from './processes.ts'

/** The folder for threads, skills and files, relative to the project. */
export const STATE_FOLDER = '.wrangler/state'

interface State {
  readonly supervisor: ProcessIdentity
  readonly workerd: ProcessIdentity | null
  readonly port: number
  /** When the supervisor first recorded its server (epoch). */
  readonly startedMs: number
}

export type Claim =
  | { readonly kind: 'free' }
  /** The workerd of a killed run was still running and has been ended. */
  | { readonly kind: 'taken-over'; readonly pid: number }
  /** The file is damaged, so it is unknown who uses the folder. */
  | { readonly kind: 'unknown'; readonly reason: string }
  | ({ readonly kind: 'in-use'; readonly pid: number } & Pick<State, 'port' | 'startedMs'>)

function stateFile(persist: string): string {
  return join(persist, 'satchel.pid')
}

function readState(persist: string): State | null {
  try {
    const state: unknown = JSON.parse(readFileSync(stateFile(persist), 'utf8'))
    // The cast is safe: only Satchel writes the file, and always whole.
    return isObject(state) && isObject(state['supervisor']) ? (state as unknown as State) : null
  } catch {
    return null
  }
}

/** Why it is unknown who uses the folder, and what to do; null if it is known. */
export function damagedStateFile(persist: string): string | null {
  const file = stateFile(persist)
  // In this order, because the owner may be deleting it.
  if (readState(persist) !== null || !existsSync(file)) return null
  return `${file} is damaged, so it is unknown whether a running Satchel uses ${persist}. Stop every Satchel that uses it, delete the file, and try again.`
}

/** Checks which process uses the folder, before anything is started in it. Ends the workerd of a killed owner. */
export function claim(persist: string): Claim {
  const reason = damagedStateFile(persist)
  if (reason !== null) return { kind: 'unknown', reason }
  const state = readState(persist)
  if (state === null) return { kind: 'free' }
  const { supervisor, workerd, port, startedMs } = state
  if (isAlive(supervisor)) return { kind: 'in-use', pid: supervisor.pid, port, startedMs }
  if (workerd && workerd.command.includes('workerd') && end(workerd))
    return { kind: 'taken-over', pid: workerd.pid }
  return { kind: 'free' }
}

/** The last recorded workerd, running or not; null if there is none. */
export function workerdOn(persist: string): ProcessIdentity | null {
  return readState(persist)?.workerd ?? null
}

/** The process that uses the folder, if any. Ends nothing. */
export function runningOn(persist: string): { readonly pid: number; readonly url: string } | null {
  const state = readState(persist)
  if (state === null || !isAlive(state.supervisor)) return null
  return { pid: state.supervisor.pid, url: `http://127.0.0.1:${state.port}` }
}

export function recordServer(persist: string, port: number, workerd: ProcessIdentity | null): void {
  const supervisor = identify(process.pid)
  if (!supervisor) return // This system cannot identify processes, so no later start can take over.
  const earlier = readState(persist)
  const isOwn = earlier?.supervisor.pid === supervisor.pid && isAlive(earlier.supervisor)
  const startedMs = isOwn ? earlier.startedMs : systemClock()
  const state: State = { supervisor, workerd, port, startedMs }
  mkdirSync(persist, { recursive: true })
  // Renamed when it is on the disk, so that nobody ever sees a part of it, even after a power cut.
  const temporary = `${stateFile(persist)}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(state)}\n`, { flush: true })
  renameSync(temporary, stateFile(persist))
}

export function release(persist: string): void {
  rmSync(stateFile(persist), { force: true })
}
