// The definition of a single-file skill, shared by builds and skills:add.

/** In this folder, a file `foo.md` is a whole skill. */
export const FLAT_FOLDER = '.skills'

/** Whether a file name in that folder is a skill. A README documents the folder. */
export function isFlatName(name: string): boolean {
  return /^[^.].*\.md$/i.test(name) && name.toLowerCase() !== 'readme.md'
}
