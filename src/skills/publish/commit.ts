// The only way to put new versions into the catalog: compares them with the live ones, writes their bytes, and then
// makes all the changes or none.

import { utf8 } from '../../lib/bytes.ts'
import { ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { ChangeTerms, Expect, Unpublishing } from '../catalog/api.ts'
import { skillInfo } from '../view/skill-info.ts'
import type { SkillInfo } from '../view/skill-info.ts'
import { compareDrafts } from './compare.ts'
import type { Comparison } from './compare.ts'
import type { SkillDraft } from './draft.ts'
import { commitBatch } from './write.ts'
import type { PublishDeps, Writing } from './write.ts'

/** One skill to make live. */
export interface CommitPart {
  readonly draft: Omit<SkillDraft, 'files'>
  readonly note: string | null
  readonly expect: Expect
  /** Files of the skill that are not in the stores yet. */
  readonly writings: readonly Writing[]
}

/** Everything about a commit except its skills. */
export interface CommitTerms extends ChangeTerms {
  readonly unpublish: readonly Unpublishing[]
  readonly note: string | null
}

export interface PublishedSkill extends Comparison {
  readonly skill: SkillInfo
  readonly created: boolean
}

export interface Commit {
  readonly catalog_version: number
  readonly skills: readonly PublishedSkill[]
  readonly unpublished: readonly string[]
}

/**
 * Commits checked drafts. Failures: those of `CatalogApi.change`, and `overloaded` if the stores do not respond. Errors
 * name a skill by its position (`skills[3]`).
 */
export async function commitDrafts(
  parts: readonly CommitPart[],
  { unpublish, note, ...terms }: CommitTerms,
  deps: PublishDeps,
): Promise<Result<Commit>> {
  const compared = await compareDrafts(parts, terms.build, deps)
  if (!compared.ok) return compared
  const skills = compared.value.map(({ draft: { entry, manifest }, findings, note: ownNote, expect }) => {
    return { entry, files: manifest.files, findings, note: ownNote ?? note, expect }
  })
  const writings = parts.flatMap(({ draft: { manifest }, writings: files }) => {
    const manifestBytes = utf8(manifest.text)
    const { digest: sha256 } = manifest
    return [
      ...files,
      { sha256, kind: 'file' as const, size: manifestBytes.byteLength, bytes: async () => manifestBytes },
    ]
  })
  const done = await commitBatch({ skills, unpublish, note }, writings, terms, deps)
  if (!done.ok) return done
  const published = compared.value.map(({ draft, findings, diff }, index) => {
    const state = done.value.states[index]
    if (!state) throw new Error('the response of the catalog lacks a skill')
    const { created, ...flags } = state
    const skill = skillInfo({ ...draft.entry, ...flags })
    return { skill, created: created && !terms.dryRun, findings, diff }
  })
  return ok({
    catalog_version: done.value.version,
    skills: published,
    unpublished: unpublish.map(({ name }) => name),
  })
}
