// wrangler's own Miniflare: another one in node_modules may be of another version.

import { createRequire } from 'node:module'
import { join } from 'node:path'

import { WORKERD_YOUNG_MB } from './limits.ts'

import type { AskStores } from './store-worker.ts'

export interface Miniflare {
  readonly ready: Promise<URL>
  getWorker(name: string): Promise<{ fetch(url: string, init: RequestInit): Promise<Response> }>
  dispose(): Promise<void>
}

/** Makes one of options in the words of Miniflare 4, where a Worker says what it needs. */
export function miniflareOf(root: string, options: object): Miniflare {
  // Miniflare takes flags of V8 from here alone. `gc()` frees isolates that were given up (src/sandbox/shells.ts).
  process.env['MINIFLARE_WORKERD_V8_FLAGS'] ??= `--max-semi-space-size=${WORKERD_YOUNG_MB} --expose-gc`
  const wrangler = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  // The cast: what a required module exports is known to its documentation only.
  const library = wrangler('miniflare') as {
    Miniflare: new (converted: object) => Miniflare
    convertV4MiniflareOptions(classic: object): object
  }
  return new library.Miniflare(library.convertV4MiniflareOptions(options))
}

/** The Worker is looked up anew for each request: a handle dies with the workerd it was made for. */
export function askStores(miniflare: Miniflare, name: string, token: string): AskStores {
  return async (path, body) => {
    const worker = await miniflare.getWorker(name)
    return worker.fetch(`http://stores${path}`, {
      method: 'POST',
      headers: { Authorization: token },
      ...(body && { body }),
    })
  }
}
