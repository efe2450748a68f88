// Runs one Worker in a separate workerd, with the isolate loader and the built runtimes, without Satchel.

import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { buildRuntimes } from '../../runtimes/build.ts'
import { bundleChild } from '../../runtimes/bundle.ts'
import { RUNTIMES } from '../../runtimes/store.ts'
import { createMiniflare } from '../../workerd/miniflare.ts'

interface Workerd {
  /** Sends `request` as JSON and returns the response. Rejects with the Worker's message. */
  readonly ask: (request: object) => Promise<unknown>
  /** Sends a trivial request. Returns its duration in ms. */
  readonly ping: () => Promise<number>
  readonly dispose: () => Promise<void>
}

/**
 * Builds the runtimes and starts the Worker at `entry` (relative to `root`). It reads the runtimes through the binding
 * `RUNTIMES`.
 */
export async function startWorkerd(root: string, entry: string): Promise<Workerd> {
  await buildRuntimes(root, false, console.error)
  const { code } = await bundleChild(root, entry, [])
  const miniflare = createMiniflare(root, {
    modules: true,
    script: new TextDecoder().decode(code),
    compatibilityDate: '2026-11-01',
    workerLoaders: { LOADER: {} },
    serviceBindings: {
      RUNTIMES: async (request: Request) =>
        new Response(await readFile(join(root, RUNTIMES, basename(new URL(request.url).pathname)))),
    },
  })
  const url = await miniflare.ready
  return {
    ask: async (request) => {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(request) })
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    },
    ping: async () => {
      const startedMs = performance.now()
      await (await fetch(url)).text()
      return performance.now() - startedMs
    },
    dispose: () => miniflare.dispose(),
  }
}
