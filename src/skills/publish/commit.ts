// The one way of new versions into the catalog: compare them with what is live, write their bytes, change, all or nothing.

import { utf8 } from '../../lib/bytes.ts'
import { ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import type { CatalogApi, ChangeTerms, Expect, Retiring } from '../catalog/api.ts'
import { skillInfo } from '../view/skill-info.ts'
import type { SkillInfo } from '../view/skill-info.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { compareDrafts } from './compare.ts'
import type { Comparison } from './compare.ts'
import type { Draft } from './draft.ts'
import { commitBatch } from './write.ts'
import type { WriteDeps, Writing } from './write.ts'

export interface PublishDeps extends WriteDeps {
  readonly content: ContentReader
  /** Checking rests by it. */
  readonly pace: Pace
  readonly catalog: Pick<CatalogApi, 'entries' | 'stage' | 'change'>
}

/** One skill that is to go live. */
export interface Part {
  readonly draft: Omit<Draft, 'files'>
  readonly note: string | null
  readonly expect: Expect
  /** Its files, as far as they are not in the stores. */
  readonly writings: readonly Writing[]
}

/** What a commit has besides its skills. */
export interface CommitTerms extends ChangeTerms {
  readonly retire: readonly Retiring[]
  readonly note: string | null
}

export interface PublishedSkill extends Comparison {
  readonly skill: SkillInfo
  readonly created: boolean
}

export interface Commit {
  readonly catalog_version: number
  readonly skills: readonly PublishedSkill[]
  readonly retired: readonly string[]
}

/** Failures: those of `CatalogApi.change`, and of silent stores; a skill by its place (`skills[3]`). */
export async function commitDrafts(
  parts: readonly Part[],
  { retire, note, ...terms }: CommitTerms,
  deps: PublishDeps,
): Promise<Result<Commit>> {
  const drafts = parts.map(({ draft }) => draft)
  const retired = retire.map(({ name }) => name)
  const twice = repeated(drafts, retired)
  if (twice) return twice
  const compared = await compareDrafts(drafts, terms.build, deps)
  if (!compared.ok) return compared
  const shown = parts.map((part, at) => {
    const { findings, diff } = compared.value[at] ?? { findings: [], diff: [] }
    return { ...part, findings, diff }
  })
  const skills = shown.map(({ draft: { entry, manifest }, findings, note: own, expect }) => {
    return { entry, files: manifest.files, findings, note: own ?? note, expect }
  })
  const writings = parts.flatMap(({ draft: { manifest }, writings: files }) => [
    ...files,
    { sha256: manifest.digest, kind: 'file' as const, bytes: async () => utf8(manifest.text) },
  ])
  const done = await commitBatch({ skills, retire, note }, writings, terms, deps)
  if (!done.ok) return done
  const published = shown.map(({ draft, findings, diff }, at) => {
    const state = done.value.states[at]
    if (!state) throw new Error('the catalog forgot a skill of its answer')
    const { created, ...flags } = state
    const skill = skillInfo({ ...draft.entry, ...flags })
    return { skill, created: created && !terms.dryRun, findings, diff }
  })
  return ok({ catalog_version: done.value.version, skills: published, retired })
}

/** Nothing may be asked for twice in one commit: which of the two would win? */
function repeated(drafts: readonly Pick<Draft, 'entry'>[], retire: readonly string[]): Result<never> | null {
  const places = new Map<string, string>()
  const named: readonly (readonly [place: string, name: string])[] = [
    ...drafts.map(({ entry }, at) => [`skills[${at}]`, entry.name] as const),
    ...retire.map((name, at) => [`retire[${at}]`, name] as const),
  ]
  for (const [place, name] of named) {
    const other = places.get(name)
    if (other !== undefined) {
      const detail = `${place} is the skill "${name}", as ${other} is. Name each skill once.`
      const error: Failure = { code: 'invalid_request', detail, errors: [{ path: place, message: detail }] }
      return { ok: false, error }
    }
    places.set(name, place)
  }
  return null
}
