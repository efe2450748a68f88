// Why a change may not be, in the same words on both sides of the catalog. Knows no store.

import { fail, type Failure, type Result } from '../../lib/result.ts'
import type { Expect, Over, PurgedVersion, Retiring } from './api.ts'

/** Why a change over `seen` (the live digest, null: none) may not be: `stale_version`. Null: it may. */
export function staleness(skill: string, seen: string | null, expect: Expect): Failure | null {
  if (expect === undefined || seen === expect || (expect === '*' && seen !== null)) return null
  const detail =
    expect === null
      ? `"${skill}" is there already, at ${seen}. Name that digest to change it.`
      : expect === '*'
        ? `No skill "${skill}" is live, and If-Match: * asks for one. Leave the header out to publish a new one.`
        : `"${skill}" is at ${seen ?? 'no version'}, not at ${expect}. Read it again, then change what is live.`
  return { code: 'stale_version', detail }
}

/** Why a change over the catalog version `seen` (null: none of this build is made yet) may not be: `stale_version`. */
export function catalogStaleness(seen: number | null, over: Over): Failure | null {
  if (over === undefined || seen === over) return null
  const at = seen === null ? 'a newer version' : `version ${seen}`
  const detail = `The catalog is at ${at}, not at ${over}. Read GET /admin/catalog again, then change what is live.`
  return { code: 'stale_version', detail }
}

/** `wish`: what is not possible any more. */
export function goneFor({ name, digest, at, author, note }: PurgedVersion, wish: string): Result<never> {
  const why = note === null ? '' : ` (${note})`
  return fail(
    'gone',
    `The version ${digest} of "${name}" was purged at ${at} by ${author}${why}: its files are gone for good. ${wish}`,
  )
}

/** A skill to retire, named alone or with what it is expected to be. */
export function retiring(one: string | Retiring): Retiring {
  return typeof one === 'string' ? { name: one } : one
}
