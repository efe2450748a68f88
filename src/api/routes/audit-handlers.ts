// Handles requests for the audit and for failed sign-ins. Imported when it is needed.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import type { AuditFilter } from '../../workspace/audit-api.ts'
import { queueWorkspace } from '../admission/queues.ts'
import { pageQuery } from '../fields/page.ts'
import type { HttpContext, Reply } from '../route/route.ts'
import { AUDIT_TEXT_FILTERS } from './admin-audit.ts'
import { daysOf } from './run-handlers.ts'

export async function replyWithAudit(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const days = daysOf(c)
  if (!days.ok) return days
  const texts = AUDIT_TEXT_FILTERS.flatMap((name) => {
    const text = c.req.query(name)
    return text === undefined ? [] : [[name, text] as const]
  })
  const filter: AuditFilter = { ...days.value, ...Object.fromEntries(texts) }
  const { cursor, limit } = page.value
  return queueWorkspace(c, caller, async () =>
    objects(c.env).workspace(caller.workspace).listAudit(filter, cursor, limit),
  )
}

export async function replyWithFailedSignIns(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const { cursor, limit } = page.value
  return queueWorkspace(c, caller, async () =>
    objects(c.env).workspace(caller.workspace).listFailedSignIns(cursor, limit),
  )
}
