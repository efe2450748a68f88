// Skills to add, each with its checked files and its entry in the lock file.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { manifestOfFiles } from '../../src/skills/package/digest.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { folderName, type LockEntry } from './lock.ts'
import type { Offer, SourceOffers } from './offer.ts'

export interface SourceSkill {
  readonly name: string
  readonly folder: string
  readonly files: FileMap
  readonly entry: LockEntry
}

/** How the lock file names the source. */
export type LockOrigin = Pick<LockEntry, 'source' | 'ref'> & {
  /** False for a site, where a skill's name identifies it. */
  readonly hasPaths: boolean
}

/** Loads the chosen skills. If one of them fails, none is returned. */
export async function loadItems(
  offering: SourceOffers,
  chosen: readonly Offer[],
  { source, ref, hasPaths }: LockOrigin,
): Promise<Result<readonly SourceSkill[], string>> {
  const loadedFiles = await offering.load(chosen)
  const items: SourceSkill[] = []
  const errors: string[] = []
  for (const [index, { name, path }] of chosen.entries()) {
    const files = loadedFiles[index]
    if (!files?.ok) {
      errors.push(`${harmlessLine(name)}: ${files?.error ?? 'was not read'}`)
      continue
    }
    const manifest = await manifestOfFiles(files.value)
    const folder = folderName(name)
    const sameFolderItem = items.find((item) => item.folder === folder)
    if (sameFolderItem)
      errors.push(
        `${harmlessLine(name)} and ${harmlessLine(sameFolderItem.name)} would have the same folder, ${folder}.`,
      )
    const entry: LockEntry = {
      source,
      ref,
      commit: offering.commit,
      path: hasPaths ? path : '',
      digest: manifest.digest,
      files: Object.fromEntries(manifest.files.map((file) => [file.path, file.sha256])),
    }
    items.push({ name, folder, files: files.value, entry })
  }
  return errors.length > 0 ? err(['No skill was added:', ...errors].join('\n')) : ok(items)
}
