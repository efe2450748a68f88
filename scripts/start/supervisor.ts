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
import { end, identify, residentMb, type ProcessIdentity } from '../lib/processes.ts'
import { harmlessLine, formatDuration } from '../lib/terminal.ts'
import { AnnouncedCalls, type AnnouncedCall } from './calls.ts'
import { SilenceLimit, Pulse, Restarts, type ServerEnd, type Hang } from './health.ts'
import { MemoryWatch } from './memory.ts'
import { probe, type Health } from './probe.ts'
import { recordServer, release } from './state-file.ts'
import { starvedMs, timesOf } from './times.ts'

import type { CallPermission, ServerReport, StartMessage } from './messages.ts'

export type StartPlan = Omit<StartMessage, 'type'>

export interface SupervisorOutput {
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
  readonly #output: SupervisorOutput
  #pulse = new Pulse()
  readonly #restarts = new Restarts()
  readonly #calls = new AnnouncedCalls()
  #memory = new MemoryWatch()
  #phase: Phase = 'starting'
  #phaseStartMs = 0
  #silenceLimit = new SilenceLimit(0)
  #child: ChildProcess | null = null
  #workerd: ProcessIdentity | null = null
  /** The process ID of the workerd that the supervisor ended; its end has already been reported. */
  #endedPid: number | null = null
  #announced = false
  /** True while the skills are served, and health checks run. */
  #servesSkills = false
  /** Why the server process says that it ends; null if it has not said so. */
  #endReport: { readonly death: ServerEnd; readonly why: string } | null = null
  #finish: (status: number) => void = () => {}

  constructor(plan: StartPlan, output: SupervisorOutput) {
    this.#plan = plan
    this.#output = output
  }

  /** Resolves with the exit status: 0 after stop(), 1 when it gave up. */
  async run(): Promise<number> {
    const endedPid = new Promise<number>((resolve) => (this.#finish = resolve))
    this.#spawn()
    const timer = setInterval(() => void this.#poll(), HEALTH_POLL_MS)
    const status = await endedPid
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
    this.#phaseStartMs = performance.now()
    this.#silenceLimit = new SilenceLimit(this.#phaseStartMs)
    this.#pulse = new Pulse()
    this.#memory = new MemoryWatch()
    if (phase !== 'up') this.#servesSkills = false
  }

  #spawn(): void {
    this.#enter('starting')
    this.#endReport = null
    this.#calls.forgetAll()
    // Its own process group: Ctrl-C reaches only this process, which then stops the others in order.
    const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [], {
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    child.on('message', (report: ServerReport) => this.#receive(report))
    // `close` reports its end, unless it never started; a message to a dead process needs no report.
    child.on('error', (error) => {
      if (child.pid === undefined)
        this.#onChildEnd(child, 'killed', `The server process could not be started (${error.message})`)
    })
    // Uses `close`, because `exit` may be emitted before the last messages arrive.
    child.once('close', (status, signal) => {
      const how = `The server process ended (${signal ?? `status ${status}`})`
      this.#onChildEnd(child, signal === null ? 'ended' : 'killed', how)
    })
    const start: StartMessage = { type: 'start', ...this.#plan }
    child.send(start)
    recordServer(this.#plan.persist, this.#plan.port, null)
  }

  #receive(report: ServerReport): void {
    if (report.type === 'call') return this.#answer(report.id, report)
    if (report.type === 'call-over') return this.#calls.over(report.id, ...this.#moment())
    this.#silenceLimit.heard(performance.now())
    switch (report.type) {
      case 'runtime':
        this.#workerd = identify(report.pid)
        this.#calls.forgetAll()
        recordServer(this.#plan.persist, this.#plan.port, this.#workerd)
        break
      case 'runtime-gone':
        if (this.#workerd?.pid === report.pid) this.#workerd = null
        if (this.#servesSkills) this.#recover(`workerd ended (${report.how})`)
        else if (this.#phase === 'recovering' && report.pid !== this.#endedPid)
          this.#output.note(`workerd ended (${report.how}) once more.`)
        break
      case 'progress':
        if (!this.#announced) this.#output.progress(report.text, report.ms)
        break
      case 'alive':
        break
      case 'note':
        if (this.#phase !== 'stopping') this.#output.note(report.text)
        break
      case 'ready':
        this.#servesSkills = true
        void this.#poll()
        break
      case 'failed':
        this.#output.note(report.message)
        this.#endReport = { death: 'failed', why: 'The server process could not start' }
        break
      case 'broken-off':
        this.#endReport = { death: 'killed', why: report.why }
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
  #recover(what: string): void {
    this.#enter('recovering')
    this.#calls.forgetAll()
    this.#output.note(`${what}: starting it again.`)
  }

  #onChildEnd(child: ChildProcess, death: ServerEnd, how: string): void {
    if (this.#child !== child) return
    this.#child = null
    if (this.#workerd) end(this.#workerd)
    this.#workerd = null
    if (this.#phase === 'stopping') return this.#finish(0)
    const { why, death: cause } = this.#endReport ?? { why: how, death }
    const waitMs = this.#restarts.died(cause)
    if (waitMs === null) return this.#giveUp(why)
    this.#output.note(`${why}: starting it again${waitMs > 0 ? ` in ${formatDuration(waitMs)}` : ''}.`)
    this.#enter('starting')
    setTimeout(() => {
      if (this.#phase === 'starting') this.#spawn()
    }, waitMs)
  }

  #giveUp(what: string): void {
    this.#output.note(
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
    const [phase, phaseStartMs] = [this.#phase, this.#phaseStartMs]
    if (phase === 'stopping' || !this.#child) return
    const now = performance.now()
    // Runs may continue before the skills are served: health checks then run for their calls.
    if (!this.#servesSkills) this.#wait(now)
    if (this.#phaseStartMs !== phaseStartMs || !(this.#servesSkills || this.#calls.hasCalls)) return
    const times = timesOf(this.#workerd?.pid ?? 0)
    const late = this.#calls.check(now, times.starved)
    if (late.length > 0) return this.#stopLateCalls(late)
    const hang = this.#pulse.check(now, times)
    // Do not interrupt announced calls before their announced time is over.
    if (hang && !(hang.isBusy && this.#calls.hasCallInTime)) return this.#stopHung(hang)
    const full = this.#memory.check(now, residentMb(this.#workerd?.pid ?? 0), this.#calls.hasCalls)
    if (full !== null && phase === 'up') return this.#end(full)
    if (this.#servesSkills) this.#pulse.requested(now, times)
    this.#calls.awaitAnswer()
    const health = await probe(this.#plan.port, HEALTH_BUSY_SILENCE_MS)
    // Ignore a missing response, and one from a server that has been replaced in the meantime.
    if (!health || this.#phase !== phase || this.#phaseStartMs !== phaseStartMs) return
    this.#pulse.answered()
    this.#calls.answered()
    if (phase === 'up' || !this.#servesSkills) return
    if (health.status === 200) this.#up()
    else this.#onUnhealthy(health)
  }

  #stopHung({ ms, isBusy }: Hang): void {
    const what = `workerd did not answer for ${formatDuration(ms)}${isBusy ? ', though it computes' : ' and does nothing'}`
    if (this.#phase !== 'up') return this.#replace(what)
    this.#end(what)
  }

  /** Handles calls that exceeded their time and block the server. */
  #stopLateCalls(late: readonly AnnouncedCall[]): void {
    const overdue = late.map(
      ({ key, ms }) =>
        `${harmlessLine(key).slice(0, CALL_KEY_SHOWN_CHARS)} ran past its ${formatDuration(ms)}`,
    )
    const what = `${overdue.join(', ')} and workerd did not answer`
    if (this.#servesSkills) this.#end(what)
    else this.#replace(what) // the server process waits for the same workerd
  }

  #end(why: string): void {
    this.#recover(why)
    if (!this.#workerd) return
    this.#endedPid = this.#workerd.pid
    end(this.#workerd)
  }

  #up(): void {
    const tookMs = performance.now() - this.#phaseStartMs
    this.#enter('up')
    this.#restarts.answered()
    if (this.#announced)
      this.#output.note(`Up again after ${formatDuration(tookMs)}; unfinished runs continue.`)
    else this.#output.ready()
    this.#announced = true
  }

  /** Handles a response that is not 200. Before the first good response, this is a permanent failure. */
  #onUnhealthy(health: Health): void {
    const what = `The Worker answers /healthz with ${health.status}: ${harmlessLine(health.body).slice(0, 500)}`
    if (this.#announced) return this.#replace(what)
    this.#output.note(what)
    this.#giveUp('It is not healthy')
  }

  /**
   * While the skills are not served yet: replaces a server process that has been silent, or without workerd,
   * too long.
   */
  #wait(now: number): void {
    const lostMs = now - this.#phaseStartMs
    if (this.#phase === 'recovering' && !this.#workerd && lostMs >= RECOVER_DEADLINE_MS)
      return this.#replace(`workerd is not up after ${formatDuration(lostMs)}`)
    const ms = this.#silenceLimit.overdue(now, this.#announced)
    if (ms !== null) this.#replace(`Not a word from the server process for ${formatDuration(ms)}`)
  }

  /** Ends the server process with its workerd; its exit starts the next one. */
  #replace(why: string): void {
    this.#enter('starting')
    this.#calls.forgetAll()
    this.#endReport = { death: 'killed', why }
    this.#killAll()
  }
}
