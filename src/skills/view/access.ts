// What the agent's tools may see of skills: one pinned catalog, one visibility function, live permission.

import type { Result } from '../../lib/result.ts'
import type { IndexEntry, ManifestFile } from '../skill.ts'

export interface LoadedSkill {
  readonly entry: IndexEntry
  /** SKILL.md without its frontmatter. */
  readonly body: string
  /** The line of SKILL.md at which the body begins, from 1. */
  readonly bodyLine: number
  readonly files: readonly ManifestFile[]
  /** Skills that it builds on, in its own order; `location` null: not there for this run. */
  readonly dependencies: readonly { readonly name: string; readonly location: string | null }[]
}

/**
 * Failures are words for the model: what is wrong and what would work instead.
 * Content comes from the run's pinned catalog; permission is asked live at each call.
 */
export interface SkillAccess {
  /** Visible skills of the pinned catalog, sorted by name. */
  list(): readonly IndexEntry[]
  /** The visible skill of this name. */
  find(name: string): IndexEntry | undefined
  /** Words for a skill that only its switch keeps away; null for any other, so that nothing hidden is told of. */
  off(name: string): string | null
  /** Visible skills that a person called in this run, or whose instructions stand in the conversation. */
  active(): readonly IndexEntry[]
  load(name: string): Promise<Result<LoadedSkill, string>>
  /**
   * `path` relative to the skill's root; the answer's is the file's own. A `#part` that no file's name has is passed over.
   * `searched`: it is looked through, and no skill counts as followed for that.
   */
  read(
    name: string,
    path: string,
    searched?: boolean,
  ): Promise<
    Result<{ readonly entry: IndexEntry; readonly path: string; readonly bytes: Uint8Array }, string>
  >
  /** Files of one visible skill. */
  files(
    name: string,
  ): Promise<Result<{ readonly entry: IndexEntry; readonly files: readonly ManifestFile[] }, string>>
}
