// Provides the Miniflare that is a dependency of wrangler. The one in node_modules may have another version.

import { createRequire } from 'node:module'
import { join } from 'node:path'

import { WORKERD_SEMI_SPACE_MB } from './limits.ts'

import type { AskStores } from './store-worker.ts'

export interface Miniflare {
  readonly ready: Promise<URL>
  getWorker(name: string): Promise<{ fetch(url: string, init: RequestInit): Promise<Response> }>
  dispose(): Promise<void>
}

/** Creates a Miniflare from options in the format of version 4. */
export function createMiniflare(root: string, options: object): Miniflare {
  // Miniflare reads V8 flags only from this variable. `gc()` frees discarded isolates (src/sandbox/shells.ts).
  process.env['MINIFLARE_WORKERD_V8_FLAGS'] ??= `--max-semi-space-size=${WORKERD_SEMI_SPACE_MB} --expose-gc`
  const requireFromWrangler = createRequire(
    createRequire(join(root, 'package.json')).resolve('wrangler/package.json'),
  )
  // The cast is safe: it declares parts of Miniflare's own types, which a required module lacks.
  const miniflare = requireFromWrangler('miniflare') as {
    Miniflare: new (converted: object) => Miniflare
    convertV4MiniflareOptions(classic: object): object
  }
  return new miniflare.Miniflare(miniflare.convertV4MiniflareOptions(options))
}

/** Sends requests to the stores' Worker. Looks it up each time, because a handle is invalid after its workerd ends. */
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
