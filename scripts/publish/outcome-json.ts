// The outcome of a publish as JSON for other programs, with the names of the API and without text for people.

import { harmless } from '../lib/terminal.ts'
import type { PublishOutcome } from './publish.ts'

/**
 * `{published, catalog_version, unpublished, skills: [{name, state, place, digest, live, findings, diff}]}`
 */
export function outcomeJson({ published, catalogVersion, trial }: PublishOutcome): string {
  const skills = (trial?.skills ?? []).map(({ skill, state, liveDigest: live, digest, findings, diff }) => ({
    name: skill.name,
    state,
    location: skill.location,
    digest,
    live,
    // Skills that are live already are not published again, so they newly shadow nothing.
    findings: [
      ...skill.findings,
      ...findings.filter(({ rule }) => state !== 'same' || rule !== 'shadows-public'),
    ],
    diff,
  }))
  const outcome = {
    published,
    catalog_version: catalogVersion,
    unpublished: (trial?.unpublished ?? []).map(({ name }) => name),
    skills,
  }
  return JSON.stringify(outcome, null, 2)
}

/** `{published, errors}`: the errors that were found before anything was sent. */
export function errorsJson(errors: readonly string[]): string {
  return JSON.stringify({ published: false, errors: errors.map(harmless) }, null, 2)
}
