// Where nothing can be written, and where it can be instead: the shell and the programs say the same.

const SKILLS = '/mnt/skills'
const ELSEWHERE = 'write below /mnt/user-data/workspace or /mnt/user-data/outputs'

export function inSkills(path: string): boolean {
  return path === SKILLS || path.startsWith(`${SKILLS}/`)
}

export const SKILLS_READ_ONLY = `files below ${SKILLS} cannot be changed: ${ELSEWHERE}`
