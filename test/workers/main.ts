// The Worker under test: the real object classes, without the door. Tests call the objects themselves.

import { DurableObject } from 'cloudflare:workers'

export { Catalog } from '../../src/skills/catalog.ts'
export { Hook } from '../../src/webhooks/hook.ts'
export { Workspace } from '../../src/workspace/workspace.ts'

export class Thread extends DurableObject {}
