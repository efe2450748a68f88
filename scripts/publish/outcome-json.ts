// The outcome of a publish as JSON for other programs: names as in the contract, no text for people.

import type { PublishOutcome } from './publish.ts'

/** `{published, catalog_version, unpublished, skills: [{name, state, place, digest, live, findings, diff}]}` */
export function outcomeJson({ published, catalogVersion, trial }: PublishOutcome): string {
  const skills = (trial?.skills ?? []).map(({ skill, state, live, digest, findings, diff }) => ({
    name: skill.name,
    state,
    place: skill.place,
    digest,
    live,
    // What is live already is not published again, so it comes to shadow nothing.
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
