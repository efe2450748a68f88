// Defines single-file skills, for builds and skills:add.

/** The name of folders in which each file `foo.md` is a complete skill. */
export const FLAT_FOLDER = '.skills'

/** Whether a file with this name in that folder is a skill. A README is not. */
export function isFlatName(name: string): boolean {
  return /^[^.].*\.md$/i.test(name) && name.toLowerCase() !== 'readme.md'
}
