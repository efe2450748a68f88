// Programs that shell code takes out of an archive with a password, or decrypts, and starts. Nobody who checks a skill sees
// what lies in such an archive.

import { RUNS } from './shell-downloads.ts'

const COMMANDS = /&&|\|\|?|;/
const UNLOCKS =
  /\bunzip(?:\.exe)?\s[^\n]{0,120}(?<=\s)-[a-zA-Z]{0,6}P\s{0,4}[^\s-]|\b7z[arz]?(?:\.exe)?\s{1,4}[ex]\s[^\n]{0,120}(?<=\s)-p["']?\S|\bunrar\s{1,4}[ex]\s[^\n]{0,120}-p\S|\bExpand-7Zip\b[^\n]{0,120}-Password/
/** Where it is put; without one it is the folder where the script is. */
const FOLDER = /\s(?:-d\s{1,4}|-o|-TargetPath\s{1,4})["']?([\w./~$@%{}-]{1,200})/
const ENTERS = /^cd\s{1,4}["']?([^\s"']{1,200})/
const PASSED_ON =
  /^chmod\s{1,4}\S{1,12}\s{1,4}["']?([^\s"']{1,200})|^(?:open|start|xdg-open)\s{1,4}["']?([^\s"'-][^\s"']{0,200})/
const FOLDERS_MAX = 64

/** Answers for one line after the other whether it starts what an earlier part took out of such an archive. */
export function followUnlocked(): (line: string) => boolean {
  const folders = new Set<string>()
  let isHere = false
  return (line) => {
    if (folders.size === 0 && !isHere && !UNLOCKS.test(line)) return false
    let starts = false
    for (const part of line.split(COMMANDS)) {
      const command = part.trim()
      const [, program, path] = RUNS.exec(command) ?? []
      const [, marked, opened] = PASSED_ON.exec(command) ?? []
      const started = program ?? path ?? marked ?? opened
      if (started !== undefined)
        starts ||= isIn(started, folders) || (isHere && /^(?:\.\/)?[^/~$%-][^/]{0,200}$/.test(started))
      const entered = ENTERS.exec(command)?.[1]
      if (entered !== undefined && isIn(`${entered}/`, folders)) isHere = true
      if (!UNLOCKS.test(command)) continue
      const folder = FOLDER.exec(command)?.[1]?.replace(/^\.\//, '').replace(/\/$/, '')
      if (folder === undefined || folder === '.') isHere = true
      else if (folders.size < FOLDERS_MAX) folders.add(folder)
    }
    return starts
  }
}

function isIn(path: string, folders: ReadonlySet<string>): boolean {
  const plain = path.replace(/^\.\//, '')
  return [...folders].some((folder) => plain.startsWith(`${folder}/`))
}
