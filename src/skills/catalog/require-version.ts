// Makes a planned change depend on the catalog version that the client expects to be live.

import { fail } from '../../lib/result.ts'
import type { LiveCatalog } from '../skill.ts'
import type { ExpectedVersion } from './api.ts'
import type { Plan } from './plan.ts'

/**
 * Wraps a plan so that it fails unless the expected catalog version is live. A plan that changes nothing always
 * succeeds, because it may be a repeated request.
 */
export function requireVersion(plan: Plan, over: ExpectedVersion, live: () => LiveCatalog | null): Plan {
  if (over === undefined) return plan
  return (view) => {
    const planned = plan(view)
    if (planned.ok && planned.value === null) return planned
    const current = live()?.version
    if (current === over) return planned
    const detail = `The catalog is at ${current === undefined ? 'a newer version' : `version ${current}`}, not at version ${over}. Read GET /admin/catalog again and base your change on that.`
    return fail('stale_version', detail)
  }
}
