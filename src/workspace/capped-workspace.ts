// Gives the workspace its caps.

import { rfc3339, systemClock } from '../lib/clock.ts'
import { ok } from '../lib/result.ts'
import type { LimitsPatch } from './cap-api.ts'
import { changeLimits, NEVER_LIMITED, storedLimits } from './cap-limits.ts'
import { ManagedWorkspace, type Answer, type Args } from './managed-workspace.ts'
import { listVersions } from './versions.ts'

export abstract class CappedWorkspace extends ManagedWorkspace {
  async limits(): Answer<'limits'> {
    return ok(this.hasTables ? storedLimits(this.open()) : NEVER_LIMITED)
  }

  async changeLimits(change: Args<'changeLimits'>[0]): Answer<'changeLimits'> {
    const sql = this.open()
    return this.ctx.storage.transactionSync(() => changeLimits(sql, change, rfc3339(systemClock())))
  }

  async limitsHistory(...[cursor, limit]: Args<'limitsHistory'>): Answer<'limitsHistory'> {
    return listVersions<LimitsPatch>(this.open(), 'limits', cursor, limit)
  }

  async quota(): Answer<'quota'> {
    return ok([])
  }

  async lease(): Answer<'lease'> {
    return ok(null)
  }
}
