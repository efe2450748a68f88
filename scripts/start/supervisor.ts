// Keeps the server process and its workerd alive: gone or hung → up again within 5 s. Ends processes by their own
// ids only, and leaves none behind.

import { fork, type ChildProcess } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

import { HEALTH_POLL_MS, HEALTH_TIMEOUT_MS, RECOVER_DEADLINE_MS, STOP_DEADLINE_MS } from '../../src/limits.ts'
import { end, identify, type Identity } from '../lib/processes.ts'
import { oneLine, seconds } from '../lib/terminal.ts'
import { Patience, Pulse, Restarts, type Moment } from './health.ts'
import { probe, type Health } from './probe.ts'
import { starvedMs } from './starved.ts'
import { record, release } from './state-file.ts'

import type { Report, Start, WorkerOptions } from './messages.ts'

export type Plan = Omit<Start, 'type' | 'options'>

export interface Voice {
  progress(text: string, ms: number): void
  note(text: string): void
  /** Once: the server answers for the first time. */
  ready(): void
}

// starting: a server process was started · recovering: its workerd is gone, it starts another · up: it answers.
type Phase = 'starting' | 'recovering' | 'up' | 'stopping'

export class Supervisor {
  readonly #plan: Plan
  readonly #voice: Voice
  #pulse = new Pulse()
  readonly #restarts = new Restarts()
  #phase: Phase = 'starting'
  #since = 0
  #patience = new Patience(0)
  #replacing = false
  #child: ChildProcess | null = null
  #workerd: Identity | null = null
  #options: WorkerOptions | null = null
  #announced = false
  #serving = false
  #finish: (status: number) => void = () => {}

  constructor(plan: Plan, voice: Voice) {
    this.#plan = plan
    this.#voice = voice
  }

  /** Resolves with the exit status: 0 after stop(), 1 when it was given up. */
  async run(): Promise<number> {
    const ended = new Promise<number>((resolve) => (this.#finish = resolve))
    this.#spawn()
    const timer = setInterval(() => void this.#poll(), HEALTH_POLL_MS)
    const status = await ended
    clearInterval(timer)
    release(this.#plan.persist)
    return status
  }

  /** A clean stop; a second call does not wait any longer. */
  stop(): void {
    if (this.#phase === 'stopping' || !this.#child) {
      this.#killAll()
      this.#finish(0)
      return
    }
    this.#enter('stopping')
    this.#child.send({ type: 'stop' })
    setTimeout(() => this.#killAll(), STOP_DEADLINE_MS).unref()
  }

  #enter(phase: Phase): void {
    this.#phase = phase
    this.#since = performance.now()
    this.#patience = new Patience(this.#since)
    this.#pulse = new Pulse()
  }

  #spawn(): void {
    this.#enter('starting')
    this.#serving = false
    this.#replacing = false
    // Its own process group: Ctrl-C reaches this process alone, which then stops the others in order.
    const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [], {
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    child.on('message', (report: Report) => this.#hear(report))
    child.once('error', (error) =>
      this.#voice.note(`The server process could not be started: ${error.message}`),
    )
    child.once('exit', (status, signal) => this.#childGone(signal ?? `status ${status}`))
    const start: Start = { type: 'start', ...this.#plan, options: this.#options }
    child.send(start)
    record(this.#plan.persist, this.#plan.port, null)
  }

  #hear(report: Report): void {
    this.#patience.heard(performance.now())
    switch (report.type) {
      case 'options':
        this.#options = report.options
        break
      case 'runtime':
        this.#workerd = identify(report.pid)
        record(this.#plan.persist, this.#plan.port, this.#workerd)
        break
      case 'runtime-gone':
        if (this.#workerd?.pid === report.pid) this.#workerd = null
        if (this.#phase === 'up') this.#lost(`workerd ended (${report.how})`)
        break
      case 'progress':
        if (!this.#announced) this.#voice.progress(report.text, report.ms)
        break
      case 'alive':
        break
      case 'note':
        if (this.#phase !== 'stopping') this.#voice.note(report.text)
        break
      case 'ready':
        this.#serving = true
        void this.#poll()
        break
      case 'failed':
        this.#voice.note(report.message)
        break
    }
  }

  /** workerd is gone and the server process starts another one; too often in a row is the end. */
  #lost(what: string): void {
    this.#enter('recovering')
    if (this.#restarts.died() === null) this.#giveUp(what)
    else this.#voice.note(`${what}: starting it again.`)
  }

  #childGone(how: string): void {
    this.#child = null
    if (this.#workerd) end(this.#workerd)
    this.#workerd = null
    if (this.#phase === 'stopping') return this.#finish(0)
    // One that ends by itself before it ever answered would end again: what it said has to be mended first.
    const waitMs = this.#announced || this.#replacing ? this.#restarts.died() : null
    if (waitMs === null) return this.#giveUp(`the server process ended (${how})`)
    this.#voice.note(`The server process ended (${how}): starting it again.`)
    this.#enter('starting')
    setTimeout(() => {
      if (this.#phase === 'starting') this.#spawn()
    }, waitMs)
  }

  #giveUp(what: string): void {
    const often = this.#announced || this.#replacing
    this.#voice.note(
      `${often ? 'It died again and again' : 'Satchel did not come up'} (${what}). Mend what is printed above, then run npm start: what was pushed already is not sent again.`,
    )
    this.#enter('stopping')
    this.#killAll()
    this.#finish(1)
  }

  #killAll(): void {
    if (this.#workerd) end(this.#workerd)
    this.#child?.kill('SIGKILL')
  }

  async #poll(): Promise<void> {
    const [phase, since] = [this.#phase, this.#since]
    if (phase === 'stopping') return
    const began = this.#moment()
    if (phase !== 'up' && this.#late(began.at)) return
    if (phase === 'starting' && !this.#serving) return
    const health = await probe(this.#plan.port, HEALTH_TIMEOUT_MS)
    // The server changed meanwhile: this answer is about another one.
    if (this.#phase !== phase || this.#since !== since) return
    if (phase === 'up') this.#watch(health, began)
    else if (health?.status === 200) this.#up()
    else if (health) this.#unfit(health)
  }

  #moment(): Moment {
    return { at: performance.now(), starved: this.#workerd ? starvedMs(this.#workerd.pid) : 0 }
  }

  #watch(health: Health | null, began: Moment): void {
    if (health) return this.#pulse.answered()
    const silentMs = this.#pulse.missed(began, this.#moment())
    if (silentMs === null) return
    this.#lost(`workerd did not answer for ${seconds(silentMs)}`)
    if (this.#workerd) end(this.#workerd)
  }

  #up(): void {
    const tookMs = performance.now() - this.#since
    this.#enter('up')
    this.#restarts.answered()
    if (this.#announced) this.#voice.note(`Up again after ${seconds(tookMs)}; unfinished runs go on.`)
    else this.#voice.ready()
    this.#announced = true
  }

  #unfit(health: Health): void {
    if (this.#announced) return
    this.#voice.note(
      `The Worker answers /healthz with ${health.status}: ${oneLine(health.body).slice(0, 500)}`,
    )
    this.#giveUp('not healthy')
  }

  /** Too long without a word, a server process is replaced whole; its exit starts the next one. */
  #late(now: number): boolean {
    if (this.#phase === 'recovering') {
      const ms = now - this.#since
      if (ms < RECOVER_DEADLINE_MS) return false
      this.#voice.note(`workerd is not up after ${seconds(ms)}: replacing the server process.`)
    } else {
      const ms = this.#patience.overdue(now, this.#announced)
      if (ms === null) return false
      this.#voice.note(`Not a word from the server process for ${seconds(ms)}: replacing it.`)
    }
    this.#since = now
    this.#patience.heard(now)
    this.#replacing = true
    this.#killAll()
    return true
  }
}
