// The Worker's entry point: passes requests to the HTTP layer and exports the Durable Object classes.

import type { Env } from './env/env.ts'
import { makeApp } from './api/app.ts'

export { Catalog } from './skills/catalog/catalog.ts'
export { Thread } from './thread/thread.ts'
export { Endpoint } from './callbacks/endpoint.ts'
export { Hook } from './webhooks/hook.ts'
export { Schedule } from './schedules/schedule.ts'
export { Workspace } from './workspace/workspace.ts'

const app = makeApp()

export default {
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
} satisfies ExportedHandler<Env>
