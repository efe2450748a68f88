// A workerd of its own around one Worker that has the loader of isolates and the built runtimes: no Satchel around it.

import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { buildRuntimes } from '../../runtimes/build.ts'
import { bundleChild } from '../../runtimes/bundle.ts'
import { RUNTIMES } from '../../runtimes/store.ts'
import { miniflareOf } from '../../workerd/miniflare.ts'

interface Workerd {
  /** What `asked` is answered with, as JSON. Rejects with the Worker's words. */
  readonly ask: (asked: object) => Promise<unknown>
  /** Asks it for nothing. Gives the milliseconds it took. */
  readonly ping: () => Promise<number>
  readonly dispose: () => Promise<void>
}

/** Builds the runtimes and starts the Worker at `entry` (from `root`), which reads them as `RUNTIMES`, by their names. */
export async function startWorkerd(root: string, entry: string): Promise<Workerd> {
  await buildRuntimes(root, false, console.error)
  const { code } = await bundleChild(root, entry, [])
  const miniflare = miniflareOf(root, {
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
    ask: async (asked) => {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(asked) })
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    },
    ping: async () => {
      const began = performance.now()
      await (await fetch(url)).text()
      return performance.now() - began
    },
    dispose: () => miniflare.dispose(),
  }
}
