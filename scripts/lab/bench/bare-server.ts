// The process of the bare Worker: the same bundler, runtime and messages as the server process of `npm start`, so
// that both are served alike.

import { readWorkerOptions, startRuntime, watchWorkerd, type LocalRuntime } from '../../workerd/runtime.ts'
import { bundleWorker } from '../../workerd/bundle.ts'

import type { ServerReport, StartMessage, StopMessage } from '../../start/messages.ts'

const BARE_ENTRY = 'scripts/lab/bench/bare-worker.ts'

let runtime: LocalRuntime | null = null

function report(message: ServerReport): void {
  if (process.connected) process.send?.(message)
}

async function stop(status: number): Promise<void> {
  await runtime?.stop()
  process.exit(status)
}

async function run(start: StartMessage): Promise<void> {
  const [code, options] = await Promise.all([
    bundleWorker(start.root, BARE_ENTRY),
    readWorkerOptions(start.root),
  ])
  // The bare Worker keeps only Satchel's compatibility date and flags. It has no stores or assets, and one object
  // class.
  const { rootPath, compatibilityDate, compatibilityFlags } = options
  const durableObjects = { BARE: { className: 'Bare', useSQLite: true } }
  runtime = await startRuntime({
    root: start.root,
    worker: { name: 'bare', rootPath, compatibilityDate, compatibilityFlags, durableObjects },
    code,
    bindings: start.bindings,
    port: start.port,
    persist: start.persist,
    log: (level, line) => {
      if (level === 'error') console.error(line)
    },
    restarted: async () => {},
  })
  report({ type: 'ready' })
}

watchWorkerd(
  (pid) => report({ type: 'runtime', pid }),
  (pid, how) => report({ type: 'runtime-gone', pid, how }),
)
process.on('disconnect', () => void stop(0))
process.on('message', (message: StartMessage | StopMessage) => {
  if (message.type === 'stop') {
    void stop(0)
    return
  }
  run(message).catch((error: unknown) => {
    report({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    void stop(1)
  })
})
