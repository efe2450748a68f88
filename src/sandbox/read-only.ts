// Recognizes paths of skills, which are read-only, and suggests where to write instead. Shared by the shell, `python3`
// and `node`.

const SKILLS = '/mnt/skills'
const WRITABLE_HINT = 'write below /mnt/user-data/workspace or /mnt/user-data/outputs'

/** For hints only: compares text, so other spellings of such a path are not recognized. */
export function isInSkills(path: string): boolean {
  return path === SKILLS || path.startsWith(`${SKILLS}/`)
}

export const SKILLS_READ_ONLY = `files below ${SKILLS} cannot be changed: ${WRITABLE_HINT}`
