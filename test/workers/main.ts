// The Worker under test: the real routes and the real objects. A thread takes the outside world that a test planned for
// it; without a plan it has the real one, with the demo model.

import { Thread as RealThread } from '../../src/thread/thread.ts'
import { planned } from '../fault/plan.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'

// oxlint-disable-next-line import/no-default-export -- the platform looks for the Worker there
export { default } from '../../src/index.ts'
export { Catalog } from '../../src/skills/catalog/catalog.ts'
export { Endpoint } from '../../src/callbacks/endpoint.ts'
export { Hook } from '../../src/webhooks/hook.ts'
export { Schedule } from '../../src/schedules/schedule.ts'
export { Workspace } from '../../src/workspace/workspace.ts'

export class Thread extends RealThread {
  protected override ports(): ThreadPorts {
    return planned(this.ctx.id.name ?? '', super.ports())
  }
}
