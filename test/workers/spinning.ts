// The Worker with one additional route, for tests of its watcher: `/test/call?key=…&ms=…` calls an isolate that
// computes for `spin` milliseconds and then waits for `wait`, announced with the deadline `ms`. A document that
// contains the word SPIN is never read to its end. Never deployed.

import type { Env } from '../../src/env/env.ts'
import type { DocumentReader } from '../../src/files/documents/document.ts'
import { guardedReader } from '../../src/files/documents/guarded.ts'
import { documentReader } from '../../src/files/documents/reader.ts'
import satchel from '../../src/index.ts'
import { deadlines } from '../../src/lib/deadlines.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { Thread as RealThread } from '../../src/thread/thread.ts'

export { Catalog } from '../../src/skills/catalog/catalog.ts'
export { Hook } from '../../src/webhooks/hook.ts'
export { Schedule } from '../../src/schedules/schedule.ts'
export { Workspace } from '../../src/workspace/workspace.ts'

const CHILD = `export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url)
    const until = Date.now() + Number(searchParams.get('spin'))
    while (Date.now() < until);
    await new Promise((resolve) => setTimeout(resolve, Number(searchParams.get('wait'))))
    const watcher = await fetch('http://watcher/calls', { method: 'DELETE' }).catch((error) => String(error))
    return Response.json({ bindings: Object.keys(env), watcher: String(watcher) })
  },
}`

/** Simulates a parser that hangs. */
const PARSER = `export default {
  async fetch(request) {
    if ((await request.text()).includes('SPIN')) for (;;);
    return new Response()
  },
}`

/** The deadline of a document here: a fifth of the real one, and plenty for the small documents of the tests. */
const DOCUMENT_MS = 2_000

function child(env: Env, code: string): Fetcher {
  if (!env.LOADER) throw new Error('There is no loader.')
  const loaded = env.LOADER.load({
    compatibilityDate: '2026-11-01',
    mainModule: 'child.js',
    modules: { 'child.js': code },
    env: {},
    globalOutbound: null,
  })
  return loaded.getEntrypoint()
}

async function call(env: Env, url: URL): Promise<unknown> {
  return (await child(env, CHILD).fetch(url)).json()
}

function spinningReader(env: Env): DocumentReader {
  if (!env.LOADER) throw new Error('There is no loader.')
  const real = documentReader(env.LOADER, env.ASSETS ?? null)
  return {
    async read(kind, bytes, requested) {
      await child(env, PARSER).fetch('https://documents.local/', {
        method: 'POST',
        body: bytes,
        signal: requested.signal,
      })
      return real.read(kind, bytes, requested)
    },
  }
}

export class Thread extends RealThread {
  protected override ports(): ThreadPorts {
    const documents = guardedReader(spinningReader(this.env), deadlines(this.env.WATCHER), DOCUMENT_MS)
    return { ...super.ports(), documents }
  }
}

// oxlint-disable-next-line import/no-default-export -- the platform looks for the Worker there
export default {
  fetch: async (request, env, ctx) => {
    const url = new URL(request.url)
    if (url.pathname !== '/test/call') return satchel.fetch(request, env, ctx)
    const { searchParams } = url
    const guarded = await deadlines(env.WATCHER).guard(
      searchParams.get('key') ?? '',
      Number(searchParams.get('ms')),
      async () => call(env, url),
    )
    return Response.json(guarded)
  },
} satisfies ExportedHandler<Env>
