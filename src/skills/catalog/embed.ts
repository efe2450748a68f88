// Vectors of skills that went live, where search by meaning is set up. Behind the change: fails without harm.

import type { Env } from '../../env.ts'
import { cloudflareIndex } from '../search/cloudflare.ts'
import { semanticUpsert } from '../search/semantic.ts'
import type { IndexEntry } from '../skill.ts'

/** A skill that has no vector is still found by its words. */
export async function embed(env: Env, workspace: string, entries: readonly IndexEntry[]): Promise<void> {
  const semantic = cloudflareIndex(env, workspace)
  if (semantic === null || entries.length === 0) return
  const written = await semanticUpsert(semantic, entries)
  if (!written) console.warn(JSON.stringify({ at: 'catalog.embed', skills: entries.length, failed: true }))
}
