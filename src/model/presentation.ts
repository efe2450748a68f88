// What GET /v1/models says about a model besides its facts: a name for people, and the efforts that it accepts. Pure.

import type { Effort } from '../agent/model.ts'
import { DEMO_MODEL } from '../demo/demo.ts'

const CLAUDE_ID = /^claude-([a-z]+)-(\d{1,2})(?:-(\d{1,2}))?(?:[-@](\d{8}|latest))?$/

/** A name such as "Claude Opus 5.5". A model whose ID has another form is named by its ID. */
export function modelName(id: string): string {
  if (id === DEMO_MODEL) return 'Demo model'
  const [, family = '', major, minor, version] = CLAUDE_ID.exec(id) ?? []
  if (family === '') return id
  const number = minor === undefined ? major : `${major}.${minor}`
  const name = `Claude ${family[0]?.toUpperCase()}${family.slice(1)} ${number}`
  // Two IDs of one model may be listed, and must not have the same name.
  return version === undefined ? name : `${name} (${version})`
}

const ALL_EFFORTS: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max']

// From platform.claude.com, November 2026: models that are older than an effort refuse a call with it.
const FEWER_EFFORTS: readonly (readonly [RegExp, readonly Effort[]])[] = [
  [/^claude-(?:haiku|sonnet)-4-5\b/, []],
  [/^claude-opus-4-5\b/, ['low', 'medium', 'high']],
  [/^claude-(?:opus|sonnet)-4-6\b/, ['low', 'medium', 'high', 'max']],
]

/** The efforts that a model accepts. An unknown model may accept all. */
export function acceptedEfforts(id: string): readonly Effort[] {
  if (id === DEMO_MODEL) return []
  return FEWER_EFFORTS.find(([pattern]) => pattern.test(id))?.[1] ?? ALL_EFFORTS
}
