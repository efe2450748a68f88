// The Worker with one route more, for tests of what watches it: `/test/call?key=…&ms=…` calls an isolate that computes
// for `spin` milliseconds and then waits for `wait`, announced as one that takes `ms`. Part of nothing that is deployed.

import type { Env } from '../../src/env.ts'
import satchel from '../../src/index.ts'
import { deadlines } from '../../src/lib/deadlines.ts'

export { Catalog } from '../../src/skills/catalog/catalog.ts'
export { Hook } from '../../src/webhooks/hook.ts'
export { Thread } from '../../src/thread/thread.ts'
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

async function call(env: Env, url: URL): Promise<unknown> {
  if (!env.LOADER) throw new Error('There is no loader.')
  const child = env.LOADER.load({
    compatibilityDate: '2026-11-01',
    mainModule: 'child.js',
    modules: { 'child.js': CHILD },
    env: {},
    globalOutbound: null,
  })
  return (await child.getEntrypoint().fetch(url)).json()
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
