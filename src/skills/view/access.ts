// The port through which the agent's tools see skills. skill-access.ts implements it.

import type { Result } from '../../lib/result.ts'
import type { IndexEntry, ManifestFile } from '../skill.ts'

export interface LoadedSkill {
  readonly entry: IndexEntry
  /** SKILL.md without its frontmatter. */
  readonly body: string
  /** 1-based line of SKILL.md where the body begins. */
  readonly bodyLine: number
  readonly files: readonly ManifestFile[]
  /** The skill's dependencies, in the order it lists them. `location` is null if this run cannot use the skill. */
  readonly dependencies: readonly { readonly name: string; readonly location: string | null }[]
}

/**
 * Content comes from the catalog to which the run is pinned; whether the skill may still be used is checked against the
 * live catalog at each call. Failures are messages for the model that say what is wrong and what to do instead.
 */
export interface SkillAccess {
  /** Visible skills of the pinned catalog, sorted by name. */
  list(): readonly IndexEntry[]
  /** The visible skill of this name. */
  find(name: string): IndexEntry | undefined
  /** A message if the skill is merely switched off; otherwise null, so that hidden skills are not revealed. */
  off(name: string): string | null
  /** The visible skills that a person called in this run, or whose instructions are in the conversation. */
  active(): readonly IndexEntry[]
  load(name: string): Promise<Result<LoadedSkill, string>>
  /**
   * Reads the file at `path`, relative to the skill's root, ignoring a `#fragment` that is not part of a file name. The
   * result contains the file's actual path. A read for a search (`searched`) does not activate the skill.
   */
  read(
    name: string,
    path: string,
    searched?: boolean,
  ): Promise<
    Result<{ readonly entry: IndexEntry; readonly path: string; readonly bytes: Uint8Array }, string>
  >
  /** The files of a visible skill. */
  files(
    name: string,
  ): Promise<Result<{ readonly entry: IndexEntry; readonly files: readonly ManifestFile[] }, string>>
}
