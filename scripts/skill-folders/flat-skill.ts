// What a skill of a single file looks like: one rule for the build and for bringing skills.

/** Where a file `foo.md` is a whole skill by itself. */
export const FLAT_FOLDER = '.skills'

/** Of a file in that folder. A README explains the folder. */
export function isFlatName(name: string): boolean {
  return /^[^.].*\.md$/i.test(name) && name.toLowerCase() !== 'readme.md'
}
