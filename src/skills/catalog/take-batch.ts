// One commit as the catalog takes it: all of a batch in one change, if its bytes are still there, and what came of it.

import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { Batch, Committed } from './api.ts'
import { unstagedBlobs } from './blob-rows.ts'
import type { CatalogCore } from './core.ts'
import { entryIn } from './merge.ts'
import { planCommit } from './plan-many.ts'

/** Bytes that were swept meanwhile are no failure: the publisher sends them again. */
export async function takeBatch(
  core: CatalogCore,
  build: string,
  author: string,
  batch: Batch,
): Promise<Result<Committed>> {
  const needed = batch.skills.flatMap(({ entry, files }) => [entry.digest, ...files.map((one) => one.sha256)])
  const plan = planCommit(batch)
  let lacking: readonly string[] = []
  const done = await core.change(
    build,
    author,
    (view) => {
      lacking = unstagedBlobs(view.sql, needed)
      return lacking.length > 0
        ? fail('overloaded', 'Some files were swept meanwhile. Try again.')
        : plan(view)
    },
    batch.over,
  )
  if (lacking.length > 0) return ok({ done: false, lacking })
  if (!done.ok) return done
  const { live, overlay, change, build: base } = done.value
  const created = new Set(change?.skills.map((one) => one.skill))
  const skills = batch.skills.map(({ entry }) => {
    const merged = entryIn(base, overlay, entry.name) ?? entry
    const { enabled, shareable, shadows, updated_at } = merged
    return { created: created.has(entry.name), enabled, shareable, shadows, updated_at }
  })
  return ok({ done: true, version: live.version, skills })
}
