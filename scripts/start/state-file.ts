// satchel.pid in the state folder: who runs on it. Two runtimes on one folder would ruin each other's databases, so
// a living owner is refused and what a killed one left behind is ended, each by its own id.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { end, identify, isAlive, type Identity } from '../lib/processes.ts'

interface State {
  readonly supervisor: Identity
  readonly workerd: Identity | null
  readonly port: number
}

export type Claim =
  | { readonly kind: 'free' }
  /** A killed run's workerd was still there and has been ended. */
  | { readonly kind: 'taken-over'; readonly pid: number }
  | { readonly kind: 'in-use'; readonly pid: number; readonly port: number }

function file(persist: string): string {
  return join(persist, 'satchel.pid')
}

function read(persist: string): State | null {
  try {
    // Our own file; a damaged one names nobody that is alive, so nothing is ended by it.
    return JSON.parse(readFileSync(file(persist), 'utf8')) as State
  } catch {
    return null
  }
}

/** Looks who has the folder, before anything is started on it. */
export function claim(persist: string): Claim {
  const state = read(persist)
  if (!state?.supervisor) return { kind: 'free' }
  if (isAlive(state.supervisor)) return { kind: 'in-use', pid: state.supervisor.pid, port: state.port }
  const left = state.workerd
  if (left && left.command.includes('workerd') && end(left)) return { kind: 'taken-over', pid: left.pid }
  return { kind: 'free' }
}

/** The workerd that was recorded last, living or not; null while there is none. */
export function workerdOn(persist: string): Identity | null {
  return read(persist)?.workerd ?? null
}

/** Who runs on the folder, if anybody. Ends nothing. */
export function runningOn(persist: string): { readonly pid: number; readonly url: string } | null {
  const state = read(persist)
  if (!state?.supervisor || !isAlive(state.supervisor)) return null
  return { pid: state.supervisor.pid, url: `http://127.0.0.1:${state.port}` }
}

export function recordServer(persist: string, port: number, workerd: Identity | null): void {
  const supervisor = identify(process.pid)
  if (!supervisor) return // a system that cannot tell: then nothing is ever taken over either
  const state: State = { supervisor, workerd, port }
  mkdirSync(persist, { recursive: true })
  writeFileSync(file(persist), `${JSON.stringify(state)}\n`)
}

export function release(persist: string): void {
  rmSync(file(persist), { force: true })
}
