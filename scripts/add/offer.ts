// Finds the skills that a source tree offers. Reads each SKILL.md for its name; loads the other files only of
// chosen skills. Writes nothing.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { SKILL_MAX_BYTES, SKILL_FILES_MAX, SKILL_MD_MAX_BYTES } from '../../src/limits/skills.ts'
import { ADD_CHOSEN_SKILLS_MAX_BYTES, ADD_SKILLS_MAX } from './limits.ts'
import { quoted, SKILL_FILE } from '../../src/skills/format/finding.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import { isInternal } from '../../src/skills/package/entry.ts'
import { type FileMap, skillFolder } from '../../src/skills/package/skill-folder.ts'
import { isSkipped } from '../skill-folders/find-packages.ts'
import { explainPackageFailure } from './explain.ts'
import { isFlatSkill, reportSkipped, skillFolders } from './skill-layout.ts'
import type { SourceTree, TreeFile } from './tree.ts'

export interface Offer {
  readonly name: string
  readonly description: string
  /**
   * The folder in the source ('' for the root), the file of a single-file skill, or the address on a site.
   */
  readonly path: string
  /** True if the skill is hidden unless it is named (`metadata.internal: true`). */
  readonly isInternal: boolean
  /**
   * The path of an earlier skill with the same name, or null; this one can then be chosen only by its path.
   */
  readonly twinOf: string | null
}

export interface SourceOffers {
  readonly offers: readonly Offer[]
  /** Skills that cannot be offered, one sentence each. */
  readonly problems: readonly string[]
  readonly commit: string | null
  /** The checked files of each offer, in this order, or why a skill cannot be loaded. */
  load(offers: readonly Offer[]): Promise<readonly Result<FileMap, string>[]>
}

/**
 * Finds the skills of a tree.
 *
 * @param start the folder to search, '' for the entire tree
 * @param exactFolders the folders to use instead of a search
 */
export async function findOffers(
  tree: SourceTree,
  start: string,
  exactFolders: readonly string[] | null = null,
): Promise<Result<SourceOffers, string>> {
  const files = tree.files.filter(({ kind }) => kind === 'file')
  const paths = files.map(({ path }) => path)
  if (exactFolders === null && start !== '' && !paths.some((path) => `${path}/`.startsWith(`${start}/`)))
    return err(`The source has no folder ${quoted(start)}.`)
  const folders = exactFolders ?? skillFolders(paths, start)
  if (folders.length > ADD_SKILLS_MAX)
    return err(
      `The source has ${folders.length} skills; the limit is ${ADD_SKILLS_MAX}. Specify a folder in it.`,
    )
  const sizes = new Map(files.map(({ path, size }) => [path, size]))
  const problems: string[] = []
  const readableFolders = folders.filter((folder) => {
    const size = sizes.get(skillFilePath(folder))
    if (size === undefined) problems.push(`${folderLabel(folder)} no longer contains a ${SKILL_FILE}.`)
    else if (size > SKILL_MD_MAX_BYTES)
      problems.push(
        `${folderLabel(folder)}: ${SKILL_FILE} has ${size} bytes; the limit is ${SKILL_MD_MAX_BYTES}.`,
      )
    return size !== undefined && size <= SKILL_MD_MAX_BYTES
  })
  const skillFiles = await tree.read(new Set(readableFolders.map(skillFilePath)))
  if (!skillFiles.ok) return skillFiles
  const offers: Offer[] = []
  const firstFolderByName = new Map<string, string>()
  for (const folder of readableFolders) {
    const offer = readOffer(skillFiles.value.get(skillFilePath(folder)) ?? new Uint8Array(), folder)
    if (!offer.ok) problems.push(offer.error)
    else {
      const { name } = offer.value
      const twinOf = firstFolderByName.get(name) ?? null
      if (twinOf === null) firstFolderByName.set(name, folder)
      offers.push({ ...offer.value, twinOf })
    }
  }
  if (exactFolders === null) problems.push(...reportSkipped(paths, start, folders))
  return ok({ offers, problems, commit: tree.commit, load: async (chosen) => loadChosen(tree, chosen) })
}

/** For each skill that shares its name with an earlier one: a line that says how to choose it. */
export function twinNotes(offers: readonly Offer[]): readonly string[] {
  return offers.flatMap(({ name, path, twinOf }) =>
    twinOf === null
      ? []
      : `${folderLabel(path)}: ${folderLabel(twinOf)} is also named ${quoted(name)}; choose this one with --skill ${quoted(path)}.`,
  )
}

function skillFilePath(folder: string): string {
  if (isFlatSkill(folder)) return folder
  return folder === '' ? SKILL_FILE : `${folder}/${SKILL_FILE}`
}

function folderLabel(folder: string): string {
  return folder === '' ? 'The root' : quoted(folder)
}

function readOffer(bytes: Uint8Array, folder: string): Result<Omit<Offer, 'twinOf'>, string> {
  const lastName = folder.split('/').at(-1) ?? ''
  const { skill, findings } = parseSkill(
    bytes,
    isFlatSkill(folder) ? lastName.slice(0, -'.md'.length) : lastName,
    'lenient',
  )
  if (!skill) {
    const finding = findings.find(({ severity }) => severity === 'error')
    return err(
      `${folderLabel(folder)} cannot be loaded: ${finding?.message ?? `${SKILL_FILE} cannot be read.`}`,
    )
  }
  const { name, description, extra } = skill.meta
  return ok({ name, description, path: folder, isInternal: isInternal(extra['metadata']) })
}

/** Loads the files of the chosen skills, in one pass over the tree. */
async function loadChosen(
  tree: SourceTree,
  chosen: readonly Offer[],
): Promise<readonly Result<FileMap, string>[]> {
  const filesByFolder = filesBelow(
    tree.files,
    chosen.map(({ path }) => path),
  )
  const listings = chosen.map(({ path }) => checkListing(filesByFolder.get(path) ?? []))
  const chosenFiles = listings.flatMap((listed) => (listed.ok ? listed.value : []))
  const bytes = chosenFiles.reduce((sum, { size }) => sum + size, 0)
  const tooLarge = `The chosen skills total ${bytes} bytes; the limit is ${ADD_CHOSEN_SKILLS_MAX_BYTES}. Choose fewer.`
  if (bytes > ADD_CHOSEN_SKILLS_MAX_BYTES) return chosen.map(() => err(tooLarge))
  const read = await tree.read(new Set(chosenFiles.map(({ path }) => path)))
  return listings.map((listed, index) => {
    if (!listed.ok) return listed
    if (!read.ok) return read
    const prefix = chosen[index]?.path === '' ? '' : `${chosen[index]?.path}/`
    const files = new Map<string, Uint8Array<ArrayBuffer>>()
    for (const { path } of listed.value) {
      const content = read.value.get(path)
      if (content)
        files.set(isFlatSkill(chosen[index]?.path ?? '') ? SKILL_FILE : path.slice(prefix.length), content)
    }
    return checkFiles(files)
  })
}

/** The files below each folder. Makes one pass, because a repository may have many files and folders. */
function filesBelow(
  files: readonly TreeFile[],
  folders: readonly string[],
): ReadonlyMap<string, readonly TreeFile[]> {
  const byFolder = new Map<string, TreeFile[]>(folders.map((folder) => [folder, []]))
  for (const file of files) {
    // A single-file skill has no other files.
    if (isFlatSkill(file.path)) byFolder.get(file.path)?.push(file)
    for (let end = 0; end !== -1; end = file.path.indexOf('/', end + 1)) {
      const folder = file.path.slice(0, end)
      const listed = isFlatSkill(folder) ? undefined : byFolder.get(folder)
      const relative = end === 0 ? file.path : file.path.slice(end + 1)
      if (listed && !relative.split('/').some(isSkipped)) listed.push(file)
    }
  }
  return byFolder
}

/** Returns the files of a skill, or an error if they exceed its limits or are not all regular files. */
function checkListing(listed: readonly TreeFile[]): Result<readonly TreeFile[], string> {
  const irregularFile = listed.find(({ kind }) => kind !== 'file')
  if (irregularFile)
    return err(
      `${quoted(irregularFile.path)} is a link or a device, which a skill may not contain. Replace it with the file itself.`,
    )
  const bytes = listed.reduce((sum, { size }) => sum + size, 0)
  if (listed.length > SKILL_FILES_MAX || bytes > SKILL_MAX_BYTES) {
    const limits = `${SKILL_FILES_MAX} files and ${SKILL_MAX_BYTES} bytes`
    return err(`It has ${listed.length} files and ${bytes} bytes; the limit for a skill is ${limits}.`)
  }
  return ok(listed)
}

/** The files of one skill without a wrapper folder and system files, or an error. */
export function checkFiles(files: FileMap): Result<FileMap, string> {
  const folder = skillFolder(files)
  if (!folder.ok) return err(explainPackageFailure(folder.error))
  return ok(new Map(Array.from(folder.value.files).filter(([path]) => !path.split('/').some(isSkipped))))
}
