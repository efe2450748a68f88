// Keeps the server process and its workerd running: restarts them when they end or hang, without a limit once
// they have responded. Ends processes only by their own IDs, and leaves none behind.

import { fork, type ChildProcess } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

import {
  CALL_KEY_SHOWN_CHARS,
  HEALTH_BUSY_SILENCE_MS,
  HEALTH_POLL_MS,
  RECOVER_DEADLINE_MS,
  STOP_DEADLINE_MS,
} from './limits.ts'
import { end, identify, residentMb, type Identity } from '../lib/processes.ts'
import { harmlessLine, seconds } from '../lib/terminal.ts'
import { AnnouncedCalls, type AnnouncedCall } from './calls.ts'
import { SilenceLimit, Pulse, Restarts, type Death, type Hang } from './health.ts'
import { MemoryWatch } from './memory.ts'
import { probe, type Health } from './probe.ts'
import { recordServer, release } from './state-file.ts'
import { starvedMs, timesOf } from './times.ts'

import type { CallPermission, ServerReport, Start } from './messages.ts'

export type StartPlan = Omit<Start, 'type'>

export interface Voice {
  progress(text: string, ms: number): void
  note(text: string): void
  /** Called once, at the first response of the server. */
  ready(): void
}

// starting: a server process was started · recovering: its workerd is gone, it starts another · up: it
// answers.
type Phase = 'starting' | 'recovering' | 'up' | 'stopping'

export class Supervisor {
  readonly #plan: StartPlan
  readonly #voice: Voice
  #pulse = new Pulse()
  readonly #restarts = new Restarts()
  readonly #calls = new AnnouncedCalls()
  #memory = new MemoryWatch()
  #phase: Phase = 'starting'
  #since = 0
  #timeout = new SilenceLimit(0)
  #child: ChildProcess | null = null
  #workerd: Identity | null = null
  /** The process ID of the workerd that the supervisor ended; its end has already been reported. */
  #ended: number | null = null
  #announced = false
  /** True while the skills are served, and health checks run. */
  #serving = false
  /** Why the server process says that it ends; null if it has not said so. */
  #ending: { readonly death: Death; readonly why: string } | null = null
  #finish: (status: number) => void = () => {}

  constructor(plan: StartPlan, voice: Voice) {
    this.#plan = plan
    this.#voice = voice
  }

  /** Resolves with the exit status: 0 after stop(), 1 when it gave up. */
  async run(): Promise<number> {
    const ended = new Promise<number>((resolve) => (this.#finish = resolve))
    this.#spawn()
    const timer = setInterval(() => void this.#poll(), HEALTH_POLL_MS)
    const status = await ended
    clearInterval(timer)
    release(this.#plan.persist)
    return status
  }

  /** Stops cleanly; a second call ends all processes immediately. */
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
    this.#timeout = new SilenceLimit(this.#since)
    this.#pulse = new Pulse()
    this.#memory = new MemoryWatch()
    if (phase !== 'up') this.#serving = false
  }

  #spawn(): void {
    this.#enter('starting')
    this.#ending = null
    this.#calls.gone()
    // Its own process group: Ctrl-C reaches only this process, which then stops the others in order.
    const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [], {
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    child.on('message', (report: ServerReport) => this.#hear(report))
    // `close` reports its end, unless it never started; a message to a dead process needs no report.
    child.on('error', (error) => {
      if (child.pid === undefined)
        this.#childGone(child, 'killed', `The server process could not be started (${error.message})`)
    })
    // Uses `close`, because `exit` may be emitted before the last messages arrive.
    child.once('close', (status, signal) => {
      const how = `The server process ended (${signal ?? `status ${status}`})`
      this.#childGone(child, signal === null ? 'ended' : 'killed', how)
    })
    const start: Start = { type: 'start', ...this.#plan }
    child.send(start)
    recordServer(this.#plan.persist, this.#plan.port, null)
  }

  #hear(report: ServerReport): void {
    if (report.type === 'call') return this.#answer(report.id, report)
    if (report.type === 'call-over') return this.#calls.over(report.id, ...this.#moment())
    this.#timeout.heard(performance.now())
    switch (report.type) {
      case 'runtime':
        this.#workerd = identify(report.pid)
        this.#calls.gone()
        recordServer(this.#plan.persist, this.#plan.port, this.#workerd)
        break
      case 'runtime-gone':
        if (this.#workerd?.pid === report.pid) this.#workerd = null
        if (this.#serving) this.#lost(`workerd ended (${report.how})`)
        else if (this.#phase === 'recovering' && report.pid !== this.#ended)
          this.#voice.note(`workerd ended (${report.how}) once more.`)
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
        this.#ending = { death: 'failed', why: 'The server process could not start' }
        break
      case 'broken-off':
        this.#ending = { death: 'killed', why: report.why }
        break
    }
  }

  /** The time now, and how long workerd has waited for a processor. */
  #moment(): [at: number, starved: number] {
    return [performance.now(), starvedMs(this.#workerd?.pid ?? 0)]
  }

  #answer(id: number, call: AnnouncedCall): void {
    const answer: CallPermission = {
      type: 'call-answer',
      id,
      go: this.#calls.announced(id, call, ...this.#moment()),
    }
    this.#child?.send(answer)
  }

  /** Called when workerd has ended; the server process starts another one. */
  #lost(what: string): void {
    this.#enter('recovering')
    this.#calls.gone()
    this.#voice.note(`${what}: starting it again.`)
  }

  #childGone(child: ChildProcess, death: Death, how: string): void {
    if (this.#child !== child) return
    this.#child = null
    if (this.#workerd) end(this.#workerd)
    this.#workerd = null
    if (this.#phase === 'stopping') return this.#finish(0)
    const { why, death: cause } = this.#ending ?? { why: how, death }
    const waitMs = this.#restarts.died(cause)
    if (waitMs === null) return this.#giveUp(why)
    this.#voice.note(`${why}: starting it again${waitMs > 0 ? ` in ${seconds(waitMs)}` : ''}.`)
    this.#enter('starting')
    setTimeout(() => {
      if (this.#phase === 'starting') this.#spawn()
    }, waitMs)
  }

  #giveUp(what: string): void {
    this.#voice.note(
      `Satchel did not start. ${what}. Fix the problem printed above, then run npm start again; objects that were already pushed are not sent again.`,
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
    if (phase === 'stopping' || !this.#child) return
    const now = performance.now()
    // Runs may continue before the skills are served: health checks then run for their calls.
    if (!this.#serving) this.#wait(now)
    if (this.#since !== since || !(this.#serving || this.#calls.any)) return
    const times = timesOf(this.#workerd?.pid ?? 0)
    const late = this.#calls.look(now, times.starved)
    if (late.length > 0) return this.#overrun(late)
    const hang = this.#pulse.look(now, times)
    // Do not interrupt announced calls before their announced time is over.
    if (hang && !(hang.busy && this.#calls.promised)) return this.#hung(hang)
    const full = this.#memory.look(now, residentMb(this.#workerd?.pid ?? 0), this.#calls.any)
    if (full !== null && phase === 'up') return this.#end(full)
    if (this.#serving) this.#pulse.requested(now, times)
    this.#calls.awaitAnswer()
    const health = await probe(this.#plan.port, HEALTH_BUSY_SILENCE_MS)
    // Ignore a missing response, and one from a server that has been replaced in the meantime.
    if (!health || this.#phase !== phase || this.#since !== since) return
    this.#pulse.answered()
    this.#calls.answered()
    if (phase === 'up' || !this.#serving) return
    if (health.status === 200) this.#up()
    else this.#unfit(health)
  }

  #hung({ ms, busy }: Hang): void {
    const what = `workerd did not answer for ${seconds(ms)}${busy ? ', though it computes' : ' and does nothing'}`
    if (this.#phase !== 'up') return this.#replace(what)
    this.#end(what)
  }

  /** Handles calls that exceeded their time and block the server. */
  #overrun(late: readonly AnnouncedCall[]): void {
    const overdue = late.map(
      ({ key, ms }) => `${harmlessLine(key).slice(0, CALL_KEY_SHOWN_CHARS)} ran past its ${seconds(ms)}`,
    )
    const what = `${overdue.join(', ')} and workerd did not answer`
    if (this.#serving) this.#end(what)
    else this.#replace(what) // the server process waits for the same workerd
  }

  #end(why: string): void {
    this.#lost(why)
    if (!this.#workerd) return
    this.#ended = this.#workerd.pid
    end(this.#workerd)
  }

  #up(): void {
    const tookMs = performance.now() - this.#since
    this.#enter('up')
    this.#restarts.answered()
    if (this.#announced) this.#voice.note(`Up again after ${seconds(tookMs)}; unfinished runs continue.`)
    else this.#voice.ready()
    this.#announced = true
  }

  /** Handles a response that is not 200. Before the first good response, this is a permanent failure. */
  #unfit(health: Health): void {
    const what = `The Worker answers /healthz with ${health.status}: ${harmlessLine(health.body).slice(0, 500)}`
    if (this.#announced) return this.#replace(what)
    this.#voice.note(what)
    this.#giveUp('It is not healthy')
  }

  /**
   * While the skills are not served yet: replaces a server process that has been silent, or without workerd,
   * too long.
   */
  #wait(now: number): void {
    const lostMs = now - this.#since
    if (this.#phase === 'recovering' && !this.#workerd && lostMs >= RECOVER_DEADLINE_MS)
      return this.#replace(`workerd is not up after ${seconds(lostMs)}`)
    const ms = this.#timeout.overdue(now, this.#announced)
    if (ms !== null) this.#replace(`Not a word from the server process for ${seconds(ms)}`)
  }

  /** Ends the server process with its workerd; its exit starts the next one. */
  #replace(why: string): void {
    this.#enter('starting')
    this.#calls.gone()
    this.#ending = { death: 'killed', why }
    this.#killAll()
  }
}
