// What the agent's tools may see of skills: one pinned catalog, one visibility function, live permission.

import type { Result } from '../../lib/result.ts'
import type { IndexEntry, ManifestFile } from '../skill.ts'

export interface LoadedSkill {
  readonly entry: IndexEntry
  /** SKILL.md without its frontmatter. */
  readonly body: string
  /** 1-based line of SKILL.md where the body begins. */
  readonly bodyLine: number
  readonly files: readonly ManifestFile[]
  /** Its dependencies, in its own order. `location` is null for one that is not available to this run. */
  readonly dependencies: readonly { readonly name: string; readonly location: string | null }[]
}

/**
 * Failures are messages for the model: what is wrong and what to do instead. Content comes from the run's pinned
 * catalog; permission is checked live at each call.
 */
export interface SkillAccess {
  /** Visible skills of the pinned catalog, sorted by name. */
  list(): readonly IndexEntry[]
  /** The visible skill of this name. */
  find(name: string): IndexEntry | undefined
  /** The message for a skill that is only switched off; null for any other, so that nothing hidden is revealed. */
  off(name: string): string | null
  /** Visible skills that a person called in this run, or whose instructions are in the conversation. */
  active(): readonly IndexEntry[]
  load(name: string): Promise<Result<LoadedSkill, string>>
  /**
   * `path` is relative to the skill's root; the result has the file's real path. A `#fragment` that is not part of a
   * file name is ignored. `searched`: the read is a search, which does not activate the skill.
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
