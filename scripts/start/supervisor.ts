// Keeps the server process and its workerd running: restarts them when they end or hang, any number of times after their
// first response. Ends processes only by their own IDs, and leaves none behind.

import { fork, type ChildProcess } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

import {
  SHOWN_CALL_KEY_MAX_CHARS,
  HEALTH_BUSY_SILENCE_MS,
  HEALTH_POLL_MS,
  RECOVER_DEADLINE_MS,
  STOP_DEADLINE_MS,
} from './limits.ts'
import { end, identify, residentMb, type ProcessIdentity } from '../lib/processes.ts'
import { harmlessLine, formatDuration } from '../lib/terminal.ts'
import { AnnouncedCalls, type AnnouncedCall } from './calls.ts'
import { SilenceLimit, HangDetector, Restarts, type ServerEnd, type Hang } from './health.ts'
import { MemoryWatch } from './memory.ts'
import { probe, type Health } from './probe.ts'
import { recordServer, release } from '../lib/state-file.ts'
import { starvedMs, timesOf } from './times.ts'

import type { CallPermission, ServerReport, StartMessage } from './messages.ts'

export type StartPlan = Omit<StartMessage, 'type'>

export interface SupervisorOutput {
  progress(text: string, ms: number): void
  note(text: string): void
  /** Called once, at the first response of the server. */
  ready(): void
}

// starting: a server process was started. recovering: its workerd ended and it starts another one. up: it responds.
type Phase = 'starting' | 'recovering' | 'up' | 'stopping'

export class Supervisor {
  readonly #plan: StartPlan
  readonly #output: SupervisorOutput
  #hangDetector = new HangDetector()
  readonly #restarts = new Restarts()
  readonly #calls = new AnnouncedCalls()
  #memory = new MemoryWatch()
  #phase: Phase = 'starting'
  #phaseStartMs = 0
  #phaseStartServerMs = 0
  #silenceLimit = new SilenceLimit(0)
  #child: ChildProcess | null = null
  #workerd: ProcessIdentity | null = null
  /** The process ID of the workerd that the supervisor ended; its end has already been reported. */
  #endedPid: number | null = null
  #wasUp = false
  /** True while the Worker serves the skills, so that health checks run. */
  #servesSkills = false
  /** The reason that the server process reported for its end; null if it has reported none. */
  #endReport: { readonly death: ServerEnd; readonly why: string } | null = null
  #finish: (status: number) => void = () => {}

  constructor(plan: StartPlan, output: SupervisorOutput) {
    this.#plan = plan
    this.#output = output
  }

  /** Runs until the end. Resolves with the exit status: 0 after stop(), or 1 if it gave up. */
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
    this.#phaseStartServerMs = this.#serverNow()
    this.#silenceLimit = new SilenceLimit(this.#phaseStartServerMs)
    this.#hangDetector = new HangDetector()
    this.#memory = new MemoryWatch()
    if (phase !== 'up') this.#servesSkills = false
  }

  /** The current time without the time for which the server process has waited for a processor. */
  #serverNow(): number {
    return performance.now() - starvedMs(this.#child?.pid ?? 0)
  }

  #spawn(): void {
    this.#enter('starting')
    this.#endReport = null
    this.#calls.forgetAll()
    // The child has its own process group, so that Ctrl-C reaches only this process, which then stops the others in order.
    const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [], {
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    child.on('message', (report: ServerReport) => this.#receive(report))
    // Only handles a failed start. `close` reports any other end, and a failed message to a process that ended is harmless.
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
    if (report.type === 'call-over') return this.#calls.onEnd(report.id, ...this.#now())
    this.#silenceLimit.onMessage(this.#serverNow())
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
          this.#output.note(`workerd ended again (${report.how}).`)
        break
      case 'progress':
        if (!this.#wasUp) this.#output.progress(report.text, report.ms)
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

  /** The current time, and how long workerd has waited for a processor. */
  #now(): [nowMs: number, starvedMs: number] {
    return [performance.now(), starvedMs(this.#workerd?.pid ?? 0)]
  }

  #answer(id: number, call: AnnouncedCall): void {
    const go = this.#calls.onStart(id, call, ...this.#now())
    this.#child?.send({ type: 'call-answer', id, go } satisfies CallPermission)
  }

  /** Waits for the server process to start another workerd, because the last one ended or is about to be ended. */
  #recover(reason: string): void {
    this.#enter('recovering')
    this.#calls.forgetAll()
    this.#output.note(`${reason}: starting it again.`)
  }

  #onChildEnd(child: ChildProcess, death: ServerEnd, how: string): void {
    if (this.#child !== child) return
    this.#child = null
    if (this.#workerd) end(this.#workerd)
    this.#workerd = null
    if (this.#phase === 'stopping') return this.#finish(0)
    const { why, death: cause } = this.#endReport ?? { why: how, death }
    const waitMs = this.#restarts.onEnd(cause)
    if (waitMs === null) return this.#giveUp(why)
    this.#output.note(`${why}: starting it again${waitMs > 0 ? ` in ${formatDuration(waitMs)}` : ''}.`)
    this.#enter('starting')
    setTimeout(() => this.#phase === 'starting' && this.#spawn(), waitMs)
  }

  #giveUp(reason: string): void {
    this.#output.note(
      `Satchel did not start. ${reason}. Fix the problem printed above, then run npm start again; objects that were already pushed are not sent again.`,
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
    // Runs may continue before the skills are served. Health checks then run for the calls of these runs.
    if (!this.#servesSkills) this.#checkStart()
    if (this.#phaseStartMs !== phaseStartMs || !(this.#servesSkills || this.#calls.hasCalls)) return
    const workerdTimes = timesOf(this.#workerd?.pid ?? 0)
    const late = this.#calls.check(now, workerdTimes.starvedMs)
    if (late.length > 0) return this.#stopLateCalls(late)
    // A response also waits until this process can read it.
    const processTimes = { ...workerdTimes, starvedMs: workerdTimes.starvedMs + starvedMs(process.pid) }
    const hang = this.#hangDetector.check(now, processTimes)
    // Do not interrupt announced calls before their announced time is over.
    if (hang && !(hang.isBusy && this.#calls.hasCallInTime)) return this.#stopHung(hang)
    const memoryReason = this.#memory.check(now, residentMb(this.#workerd?.pid ?? 0), this.#calls.hasCalls)
    if (memoryReason !== null && phase === 'up') return this.#endWorkerd(memoryReason)
    if (this.#servesSkills) this.#hangDetector.onRequest(now, processTimes)
    this.#calls.expectResponse()
    const health = await probe(this.#plan.port, HEALTH_BUSY_SILENCE_MS)
    // Ignore a missing response, and one from a server that has been replaced in the meantime.
    if (!health || this.#phase !== phase || this.#phaseStartMs !== phaseStartMs) return
    this.#hangDetector.onResponse()
    this.#calls.onResponse()
    if (phase === 'up' || !this.#servesSkills) return
    if (health.status === 200) this.#onHealthy()
    else this.#onUnhealthy(health)
  }

  #stopHung({ ms, isBusy }: Hang): void {
    const reason = `workerd did not respond for ${formatDuration(ms)}${isBusy ? ', although it is computing' : ' and is idle'}`
    if (this.#phase === 'up') this.#endWorkerd(reason)
    else this.#replace(reason)
  }

  /** Handles calls that exceeded their time and block the server. */
  #stopLateCalls(late: readonly AnnouncedCall[]): void {
    const descriptions = late.map(
      ({ key, ms }) =>
        `${harmlessLine(key).slice(0, SHOWN_CALL_KEY_MAX_CHARS)} exceeded its limit of ${formatDuration(ms)}`,
    )
    const reason = `${descriptions.join(', ')} and workerd did not respond`
    if (this.#servesSkills) this.#endWorkerd(reason)
    else this.#replace(reason) // The server process also waits for this workerd.
  }

  #endWorkerd(why: string): void {
    this.#recover(why)
    if (!this.#workerd) return
    this.#endedPid = this.#workerd.pid
    end(this.#workerd)
  }

  #onHealthy(): void {
    const tookMs = performance.now() - this.#phaseStartMs
    this.#enter('up')
    this.#restarts.onResponse()
    if (this.#wasUp) this.#output.note(`Up again after ${formatDuration(tookMs)}; unfinished runs continue.`)
    else this.#output.ready()
    this.#wasUp = true
  }

  /** Handles a response that is not 200. Before the first good response, this is a permanent failure. */
  #onUnhealthy(health: Health): void {
    const reason = `The Worker responds to /healthz with ${health.status}: ${harmlessLine(health.body).slice(0, 500)}`
    if (this.#wasUp) return this.#replace(reason)
    this.#output.note(reason)
    this.#giveUp('It is not healthy')
  }

  /** Replaces a server process that is silent or without a workerd for too long while no skills are served. */
  #checkStart(): void {
    const now = this.#serverNow()
    const phaseMs = now - this.#phaseStartServerMs
    if (this.#phase === 'recovering' && !this.#workerd && phaseMs >= RECOVER_DEADLINE_MS)
      return this.#replace(`workerd is not up after ${formatDuration(phaseMs)}`)
    const ms = this.#silenceLimit.overdueMs(now, this.#wasUp, this.#restarts.failures)
    if (ms !== null) this.#replace(`The server process sent no message for ${formatDuration(ms)}`)
  }

  /** Ends the server process and its workerd. Its exit then starts the next server process. */
  #replace(why: string): void {
    this.#enter('starting')
    this.#calls.forgetAll()
    this.#endReport = { death: 'killed', why }
    this.#killAll()
  }
}
