// Where nothing can be written, and where to write instead. The shell and the programs share this message.

const SKILLS = '/mnt/skills'
const ELSEWHERE = 'write below /mnt/user-data/workspace or /mnt/user-data/outputs'

export function inSkills(path: string): boolean {
  return path === SKILLS || path.startsWith(`${SKILLS}/`)
}

export const SKILLS_READ_ONLY = `files below ${SKILLS} cannot be changed: ${ELSEWHERE}`
