// Gives one run access to skills: with the content of its pinned catalog and the permissions of the live one. Messages
// are for the model.

import { err, ok, type Result } from '../../lib/result.ts'
import { quoted, SKILL_FILE } from '../format/finding.ts'
import { bodyAt } from '../format/frontmatter.ts'
import type { SkillAccess } from './access.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { resolveInside } from '../format/path.ts'
import {
  locationOf,
  type IndexEntry,
  type LiveCatalog,
  type ManifestFile,
  type SkillIndex,
} from '../skill.ts'
import { didYouMean } from '../../lib/suggest.ts'
import {
  skillNamed,
  stillVisible,
  switchedOff,
  visibleSkill,
  visibleSkills,
  type Audience,
} from './visibility.ts'

export interface SkillAccessParts {
  /** The index of the catalog to which the run is pinned, and its version. */
  readonly index: SkillIndex
  readonly version: number
  readonly audience: Audience
  readonly content: ContentReader
  /** Returns the live catalog. Called at each load and read. May throw if the catalog does not respond. */
  readonly live: () => Promise<Result<LiveCatalog>>
  /** Looks up a custom version that is no longer live. Fails with `gone` if it was purged. May throw, too. */
  readonly published: (name: string, digest: string) => Promise<Result<unknown>>
  /** Names of skills whose instructions are in the conversation. */
  readonly namesInContext?: () => ReadonlySet<string>
}

function unavailable(skill: string): { readonly ok: false; readonly error: string } {
  return err(
    `Skill "${skill}" is temporarily unavailable: its files cannot be read right now. Try once more. If that fails, continue without it and say so.`,
  )
}

export function skillAccess(parts: SkillAccessParts): SkillAccess {
  const { index, audience, content } = parts
  const list = (): readonly IndexEntry[] => visibleSkills(index, audience)
  const find = (name: string): IndexEntry | undefined => visibleSkill(index, audience, name)
  const off = (name: string): string | null =>
    switchedOff(index, audience, name) ? switchedOffText(name) : null
  const active = new Set(audience.invoked)

  /** The live index, or null if it has not changed since the run was pinned. */
  async function changedIndex(): Promise<Result<SkillIndex | null>> {
    const now = await parts.live()
    if (!now.ok) return now
    return now.value.version === parts.version ? ok(null) : content.index(now.value.index)
  }

  async function permitted(name: string): Promise<Result<IndexEntry, string>> {
    const pinned = find(name)
    if (!pinned) return err(off(name) ?? unknown(name, list()))
    const live = await changedIndex().catch(() => null)
    if (!live?.ok) return unavailable(name)
    if (live.value === null) return ok(pinned)
    const now = skillNamed(live.value, name)
    // A built-in skill of the same name is a different skill: the custom one of this run was unpublished.
    const unpublished = pinned.category === 'custom' && now?.category === 'public'
    if (!now || unpublished) return err(`Skill "${name}" was removed from the catalog. Continue without it.`)
    if (!stillVisible(now, audience)) return err(switchedOffText(name))
    return pinned.category === 'custom' && pinned.digest !== now.digest ? notPurged(pinned) : ok(pinned)
  }

  /** The pinned skill unless it was purged. An isolate or KV may still cache a purged version. */
  async function notPurged(pinned: IndexEntry): Promise<Result<IndexEntry, string>> {
    const { name, digest } = pinned
    const published = await parts.published(name, digest).catch(() => null)
    if (published?.ok) return ok(pinned)
    return published?.error.code === 'gone' ? err(purgedText(name)) : unavailable(name)
  }

  async function files(
    name: string,
  ): Promise<Result<{ readonly entry: IndexEntry; readonly files: readonly ManifestFile[] }, string>> {
    const entry = await permitted(name)
    if (!entry.ok) return entry
    const manifest = await content.manifest(entry.value)
    return manifest.ok ? ok({ entry: entry.value, files: manifest.value }) : unavailable(name)
  }

  return {
    list,
    find,
    off,
    active: () =>
      [...new Set([...active, ...(parts.namesInContext?.() ?? [])])].flatMap((name) => find(name) ?? []),
    files,
    async load(name) {
      const entry = await permitted(name)
      if (!entry.ok) return entry
      const [text, manifest] = await Promise.all([content.body(entry.value), content.manifest(entry.value)])
      if (!text.ok || !manifest.ok) return unavailable(name)
      const dependencies = entry.value.dependencies.map((dependency) => {
        const visible = find(dependency)
        return { name: dependency, location: visible ? locationOf(visible) : null }
      })
      active.add(name)
      return ok({ entry: entry.value, files: manifest.value, dependencies, ...bodyAt(text.value) })
    },
    async read(name, path, searched = false) {
      const found = await files(name)
      if (!found.ok) return found
      const { entry } = found.value
      // Only paths in the manifest are ever read from a store.
      const inside = resolveInside(path)
      if (!inside.ok) return inside
      const fileAt = (wantedPath: string): ManifestFile | undefined =>
        found.value.files.find((candidate) => candidate.path === wantedPath)
      const file = fileAt(inside.value) ?? fileAt(inside.value.replace(/#[^/#]*$/, ''))
      if (!file) return err(noFile(name, path, found.value.files))
      const bytes = await content.file(entry, file.sha256)
      if (!bytes.ok) return unavailable(name)
      if (file.path === SKILL_FILE && !searched) active.add(name)
      return ok({ entry, path: file.path, bytes: bytes.value })
    },
  }
}

function unknown(name: string, list: readonly IndexEntry[]): string {
  const suggestion = didYouMean(
    name,
    list.map((entry) => entry.name),
  )
  return `There is no skill ${quoted(name)}.${suggestion || ' Use a name from the list of available skills.'}`
}

function switchedOffText(name: string): string {
  return `Skill "${name}" is switched off. Do not use it; continue without it.`
}

function purgedText(name: string): string {
  return `The version of skill "${name}" that this run started with was purged: its files were permanently deleted and must not be used. Continue without it and say so. The next message will use the live version.`
}

function noFile(name: string, path: string, files: readonly ManifestFile[]): string {
  const others = files.map((file) => file.path).filter((other) => other !== SKILL_FILE)
  const hint = others.length === 0 ? ` Its only file is ${SKILL_FILE}.` : ' List its folder with ls.'
  return `Skill "${name}" has no file ${quoted(path)}.${didYouMean(path, others) || hint}`
}
