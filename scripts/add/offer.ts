// The skills that a tree offers: names read from their SKILL.md, files loaded once they are chosen. Writes nothing.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { SKILL_BYTES_MAX, SKILL_FILES_MAX, SKILL_MD_MAX_BYTES } from '../../src/limits/skills.ts'
import { ADD_KEPT_MAX_BYTES, ADD_SKILLS_MAX } from './limits.ts'
import { quoted, SKILL_FILE } from '../../src/skills/format/finding.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import { isInternal } from '../../src/skills/package/entry.ts'
import { type FileMap, skillFolder } from '../../src/skills/package/skill-folder.ts'
import { isSkipped } from '../skill-folders/find-packages.ts'
import { explain } from './explain.ts'
import { isFlatSkill, passedOver, skillFolders } from './skill-layout.ts'
import type { SourceTree, TreeFile } from './tree.ts'

export interface Offer {
  readonly name: string
  readonly description: string
  /** Its folder in the source, the file of a single-file skill, or its address on a site; '' for the root. */
  readonly path: string
  /** Hidden unless it is named (`metadata.internal: true`). */
  readonly internal: boolean
  /** The path of an earlier skill with this name: this one can be selected only by its path. */
  readonly twinOf: string | null
}

export interface SourceOffers {
  readonly offers: readonly Offer[]
  /** Skills that cannot be offered, one sentence each. */
  readonly problems: readonly string[]
  readonly commit: string | null
  /** The checked files of each, in this order, or why a skill cannot be loaded. */
  load(offers: readonly Offer[]): Promise<readonly Result<FileMap, string>[]>
}

/**
 * @param start folder to search below, '' for all
 * @param exactly these folders instead of a search
 */
export async function offeringOf(
  tree: SourceTree,
  start: string,
  exactly: readonly string[] | null = null,
): Promise<Result<SourceOffers, string>> {
  const files = tree.files.filter(({ kind }) => kind === 'file')
  const paths = files.map(({ path }) => path)
  if (exactly === null && start !== '' && !paths.some((path) => `${path}/`.startsWith(`${start}/`)))
    return err(`It has no folder ${quoted(start)}.`)
  const folders = exactly ?? skillFolders(paths, start)
  if (folders.length > ADD_SKILLS_MAX)
    return err(
      `It holds ${folders.length} skills; more than ${ADD_SKILLS_MAX} are not looked at. Name a folder.`,
    )
  const sizes = new Map(files.map(({ path, size }) => [path, size]))
  const problems: string[] = []
  const mains = folders.filter((folder) => {
    const size = sizes.get(mainOf(folder))
    if (size === undefined) problems.push(`${shown(folder)} holds no ${SKILL_FILE} any more.`)
    else if (size > SKILL_MD_MAX_BYTES)
      problems.push(`${shown(folder)}: ${SKILL_FILE} has ${size} bytes; at most ${SKILL_MD_MAX_BYTES}.`)
    return size !== undefined && size <= SKILL_MD_MAX_BYTES
  })
  const read = await tree.read(new Set(mains.map(mainOf)))
  if (!read.ok) return read
  const offers: Offer[] = []
  const firsts = new Map<string, string>()
  for (const folder of mains) {
    const offer = describe(read.value.get(mainOf(folder)) ?? new Uint8Array(), folder)
    if (!offer.ok) problems.push(offer.error)
    else {
      const { name } = offer.value
      const twinOf = firsts.get(name) ?? null
      if (twinOf === null) firsts.set(name, folder)
      offers.push({ ...offer.value, twinOf })
    }
  }
  if (exactly === null) problems.push(...passedOver(paths, start, folders))
  return ok({ offers, problems, commit: tree.commit, load: async (chosen) => load(tree, chosen) })
}

/** For each skill whose name an earlier one has: how to select it. */
export function twinNotes(offers: readonly Offer[]): readonly string[] {
  return offers.flatMap(({ name, path, twinOf }) =>
    twinOf === null
      ? []
      : `${shown(path)}: the name ${quoted(name)} is taken by ${shown(twinOf)}; --skill ${quoted(path)} takes this one.`,
  )
}

function mainOf(folder: string): string {
  if (isFlatSkill(folder)) return folder
  return folder === '' ? SKILL_FILE : `${folder}/${SKILL_FILE}`
}

function shown(folder: string): string {
  return folder === '' ? 'The root' : quoted(folder)
}

function describe(bytes: Uint8Array, folder: string): Result<Omit<Offer, 'twinOf'>, string> {
  const last = folder.split('/').at(-1) ?? ''
  const { skill, findings } = parseSkill(
    bytes,
    isFlatSkill(folder) ? last.slice(0, -'.md'.length) : last,
    'lenient',
  )
  if (!skill) {
    const why = findings.find(({ severity }) => severity === 'error')
    return err(`${shown(folder)} cannot be loaded: ${why?.message ?? `${SKILL_FILE} cannot be read.`}`)
  }
  const { name, description, extra } = skill.meta
  return ok({ name, description, path: folder, internal: isInternal(extra['metadata']) })
}

/** The files of the chosen skills, in one pass over the tree. */
async function load(tree: SourceTree, chosen: readonly Offer[]): Promise<readonly Result<FileMap, string>[]> {
  const below = filesBelow(
    tree.files,
    chosen.map(({ path }) => path),
  )
  const wanted = chosen.map(({ path }) => fitting(below.get(path) ?? []))
  const all = wanted.flatMap((listed) => (listed.ok ? listed.value : []))
  const bytes = all.reduce((sum, { size }) => sum + size, 0)
  const tooMuch = `The chosen skills have ${bytes} bytes together; at most ${ADD_KEPT_MAX_BYTES}. Choose fewer.`
  if (bytes > ADD_KEPT_MAX_BYTES) return chosen.map(() => err(tooMuch))
  const read = await tree.read(new Set(all.map(({ path }) => path)))
  return wanted.map((listed, at) => {
    if (!listed.ok) return listed
    if (!read.ok) return read
    const prefix = chosen[at]?.path === '' ? '' : `${chosen[at]?.path}/`
    const files = new Map<string, Uint8Array<ArrayBuffer>>()
    for (const { path } of listed.value) {
      const content = read.value.get(path)
      if (content)
        files.set(isFlatSkill(chosen[at]?.path ?? '') ? SKILL_FILE : path.slice(prefix.length), content)
    }
    return checkedFiles(files)
  })
}

/** The files below each folder, in one pass: a repository may have many files and folders. */
function filesBelow(
  files: readonly TreeFile[],
  folders: readonly string[],
): ReadonlyMap<string, readonly TreeFile[]> {
  const found = new Map<string, TreeFile[]>(folders.map((folder) => [folder, []]))
  for (const file of files) {
    // A single-file skill has no other files.
    if (isFlatSkill(file.path)) found.get(file.path)?.push(file)
    for (let end = 0; end !== -1; end = file.path.indexOf('/', end + 1)) {
      const folder = file.path.slice(0, end)
      const listed = isFlatSkill(folder) ? undefined : found.get(folder)
      const inside = end === 0 ? file.path : file.path.slice(end + 1)
      if (listed && !inside.split('/').some(isSkipped)) listed.push(file)
    }
  }
  return found
}

function fitting(listed: readonly TreeFile[]): Result<readonly TreeFile[], string> {
  const odd = listed.find(({ kind }) => kind !== 'file')
  if (odd) return err(`${quoted(odd.path)} is a link or a device; that is refused. Copy the file itself.`)
  const bytes = listed.reduce((sum, { size }) => sum + size, 0)
  if (listed.length > SKILL_FILES_MAX || bytes > SKILL_BYTES_MAX) {
    const limits = `at most ${SKILL_FILES_MAX} files and ${SKILL_BYTES_MAX} bytes`
    return err(`It has ${listed.length} files and ${bytes} bytes; a skill has ${limits}.`)
  }
  return ok(listed)
}

/** The files of one skill without wrapper folder and system files; or an error. */
export function checkedFiles(sent: FileMap): Result<FileMap, string> {
  const folder = skillFolder(sent)
  if (!folder.ok) return err(explain(folder.error))
  return ok(new Map(Array.from(folder.value.files).filter(([path]) => !path.split('/').some(isSkipped))))
}
