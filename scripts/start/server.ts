// The process that runs the Worker: builds the skills, bundles the Worker, starts workerd, pushes missing objects and
// publishes edits. Reports to the supervisor, which decides about restarts, and ends with it.

import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import { HEALTH_POLL_MS, WORKERD_GONE_MS } from './limits.ts'
import { PROGRESS_INTERVAL_MS } from '../lib/limits.ts'
import { throttled } from '../lib/paced.ts'
import { harmless } from '../lib/terminal.ts'
import { buildAssets } from '../assets/build.ts'
import { cachedWorkerBundle } from '../workerd/bundle.ts'
import { readWorkerOptions, startRuntime, watchWorkerd, type LocalRuntime } from '../workerd/runtime.ts'
import { LiveSkills } from './skills.ts'
import { LocalRuntimes } from './runtimes.ts'
import type { Progress } from '../push/push.ts'
import { lastReport } from './register-build.ts'
import { wakeRuns } from './wake.ts'
import { CallWatcher } from './watcher.ts'

import type { CallPermission, ServerReport, StartMessage, StopMessage } from './messages.ts'

/** The Worker receives its build digest after the push. A compiled digest would be served too early, or be outdated. */
const NO_BUILD = { 'src/skills/build-digest.ts': "export const BUILD_DIGEST = ''\n" }

let runtime: LocalRuntime | null = null
let workerd: number | null = null
/** How the last workerd that was killed ended. */
let killedBy: string | null = null
let stopping = false
// The running bundlers. If this process ended before them, they would print pages of errors.
let bundling: Promise<unknown> = Promise.resolve()

function report(message: ServerReport): void {
  if (process.connected) process.send?.(message)
}

const watcher = new CallWatcher(report)

/** Reports that this process is active. Thousands of skills are thousands of steps, so most calls are dropped. */
const reportAlive = throttled(HEALTH_POLL_MS, () => report({ type: 'alive' }))

/** Ends workerd, then this process. Also called when the supervisor has ended, so that nothing is left running. */
async function stop(status: number): Promise<void> {
  if (stopping) return
  stopping = true
  try {
    await bundling.catch(() => {}) // Its caller handles the failure.
    await runtime?.stop()
  } finally {
    // An interrupted start has a workerd but no runtime yet.
    if (workerd !== null) process.kill(workerd, 'SIGKILL')
    process.exit(status)
  }
}

function log(level: string, line: string): void {
  const out = level === 'error' || level === 'warn' ? process.stderr : process.stdout
  out.write(`${harmless(line)}\n`)
}

async function run(start: StartMessage): Promise<void> {
  let stepStartMs = performance.now()
  const reportStep = (text: string): void => {
    const now = performance.now()
    report({ type: 'progress', text, ms: now - stepStartMs })
    stepStartMs = now
  }
  const note = (text: string): void => report({ type: 'note', text })
  const assets = buildAssets(start.root) // Creates the folder synchronously; its files exist after the `await` below.
  bundling = assets.catch(() => {}) // Awaited below, after slower work.
  const progressReporter = (what: string): Progress => {
    const startedMs = performance.now()
    return throttled(PROGRESS_INTERVAL_MS, (done: number, all: number) => {
      const [doneText, totalText] = [done, all].map((count) => count.toLocaleString('en-US'))
      report({
        type: 'progress',
        text: `${what} ${doneText} of ${totalText}`,
        ms: performance.now() - startedMs,
      })
    })
  }
  const skills = await LiveSkills.open(start, note, reportAlive, progressReporter('skills read:'))
  reportStep(skills.summary())
  const bundled = cachedWorkerBundle(start.root, start.entry, NO_BUILD)
  bundling = Promise.all([bundled, assets])
  const options = readWorkerOptions(start.root)
  const [code, worker, hasRuntimes] = await Promise.all([bundled, options, assets])
  reportStep('Worker bundled')
  const runtimes = new LocalRuntimes(start.root)
  const started = await startRuntime({
    root: start.root,
    worker,
    code,
    bindings: { ...start.bindings, DEV_BUILD: '1' },
    port: start.port,
    persist: start.persist,
    ...(start.inspectorPort !== undefined && { inspectorPort: start.inspectorPort }),
    log,
    watcher: (request) => watcher.fetch(request),
    runtimes: (request) => runtimes.fetch(request),
    restarted: async () => {
      // During the start itself, `run` publishes.
      if (!runtime) return
      try {
        await skills.publish(runtime)
        report({ type: 'ready' })
        await wakeRuns(start, note)
      } catch (error) {
        await fail(error)
      }
    },
  })
  runtime = started
  reportStep('workerd up')
  const reportPushed = progressReporter('pushed')
  const sentObjects = await skills.publish(started, (done, all) => {
    reportAlive()
    reportPushed(done, all)
  })
  reportStep(
    sentObjects === 0
      ? 'skills in KV and R2 already'
      : `${sentObjects.toLocaleString('en-US')} objects pushed to KV and R2`,
  )
  skills.watch(started)
  report({ type: 'ready' })
  if (hasRuntimes) runtimes.markBuilt()
  else runtimes.build(note)
  await wakeRuns(start, note)
}

/** Reports the failure and ends this process. A failure because workerd was killed or busy needs no fix. */
async function fail(error: unknown): Promise<void> {
  if (stopping) return // Failures during a stop are expected.
  const deadline = performance.now() + WORKERD_GONE_MS
  while (workerd !== null && killedBy === null && performance.now() < deadline) await sleep(10)
  report(lastReport(error, killedBy))
  await stop(1)
}

watchWorkerd(
  (pid) => {
    workerd = pid
    report({ type: 'runtime', pid })
  },
  (pid, how, bySignal) => {
    if (workerd === pid) workerd = null
    if (bySignal) killedBy = how
    if (!stopping) report({ type: 'runtime-gone', pid, how })
  },
)
// Continue to serve if the output streams are closed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
process.on('disconnect', () => void stop(0))
// Only the supervisor handles signals, so that a signal to the process group does not race with its messages.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('message', (message: StartMessage | StopMessage | CallPermission) => {
  switch (message.type) {
    case 'start':
      run(message).catch(fail)
      break
    case 'stop':
      void stop(0)
      break
    case 'call-answer':
      watcher.receive(message)
      break
  }
})
