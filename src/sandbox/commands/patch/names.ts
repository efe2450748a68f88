// Determines the file to patch from the names in the patch, as GNU patch does.

import { Unsupported, type CommandIo } from '../command.ts'
import type { FileHeader } from './headers.ts'
import type { PatchOptions } from './options.ts'

/** Removes `strip` leading folders, or all if null. Returns null if there are fewer. */
function strippedName(name: string | null, strip: number | null): string | null {
  if (name === null) return null
  if (strip === null) return name.slice(name.lastIndexOf('/') + 1) || null
  let rest = name
  for (let count = 0; count < strip; count++) {
    const slash = rest.indexOf('/')
    if (slash === -1) return null
    rest = rest.slice(slash).replace(/^\/+/, '')
  }
  return rest === '' ? null : rest
}

/** The header with stripped names. */
export function withStrippedNames(header: FileHeader, strip: number | null): FileHeader {
  const { old, new: fresh, index } = header
  return {
    ...header,
    old: { ...old, name: strippedName(old.name, strip) },
    new: { ...fresh, name: strippedName(fresh.name, strip) },
    index: strippedName(index, strip),
  }
}

/**
 * The file to patch; null if it does not exist and the patch does not create it. Expects a header from
 * `withStrippedNames`.
 */
export async function fileOf(
  io: CommandIo,
  header: FileHeader,
  { reverse, folder }: Pick<PatchOptions, 'reverse' | 'folder'>,
): Promise<string | null> {
  const { old, new: fresh, index } = header
  const both = [old.name, fresh.name].filter((name) => name !== null)
  const names = both.length > 0 ? both : index === null ? [] : [index]
  for (const name of names)
    if (name.startsWith('/') || name.split('/').includes('..'))
      throw new Unsupported(
        `patch of ${name}, outside of the folder`,
        'patch FILE PATCH, or -p with a number',
      )
  const existing: string[] = []
  for (const name of names)
    if ((await io.files.stat(within(folder, name)))?.kind === 'file') existing.push(name)
  if (existing.length > 0) return best(existing)
  const { oldMissing, newMissing } = header
  const creates = (reverse ? newMissing : oldMissing) > 0
  const removes = (reverse ? oldMissing : newMissing) > 0
  if (!creates) return removes ? ((reverse ? old.name : fresh.name) ?? names[0] ?? null) : null
  const missing = new Map<string, number>()
  for (const name of names) missing.set(name, await missingFolders(io, folder, name))
  const fewest = Math.min(...missing.values())
  return best(names.filter((name) => missing.get(name) === fewest))
}

export function within(folder: string, name: string): string {
  return folder === '' || name.startsWith('/') ? name : `${folder}/${name}`
}

async function missingFolders(io: CommandIo, folder: string, name: string): Promise<number> {
  const parts = name.split('/')
  let count = 0
  for (let depth = 1; depth < parts.length; depth++)
    if (!(await io.files.stat(within(folder, parts.slice(0, depth).join('/'))))) count++
  return count
}

/**
 * The name with the fewest folders, then the shortest last component, then the shortest name; the first of equal ones.
 */
function best(names: readonly string[]): string | null {
  const keys = names.map((name) => {
    const parts = name.split('/').filter((part) => part !== '')
    return [parts.length, parts.at(-1)?.length ?? 0, name.length] as const
  })
  let found = 0
  keys.forEach((key, at) => {
    const other = keys[found] ?? key
    const difference = key[0] - other[0] || key[1] - other[1] || key[2] - other[2]
    if (difference < 0) found = at
  })
  return names[found] ?? null
}
