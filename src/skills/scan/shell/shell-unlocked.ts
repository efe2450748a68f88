// Detects programs that shell code extracts from an archive with a password and starts. Whoever checks the
// skill cannot see what is in such an archive.

import { RUNS } from './shell-downloads.ts'

const COMMANDS = /&&|\|\|?|;/
const UNLOCKS =
  /\bunzip(?:\.exe)?\s[^\n]{0,120}(?<=\s)-[a-zA-Z]{0,6}P\s{0,4}[^\s-]|\b7z[arz]?(?:\.exe)?\s{1,4}[ex]\s[^\n]{0,120}(?<=\s)-p["']?\S|\bunrar\s{1,4}[ex]\s[^\n]{0,120}-p\S|\bbsdtar\b[^\n]{0,120}--passphrase\b|\bditto\b[^\n]{0,80}--password\b|\bhdiutil\s{1,4}(?:attach|mount)\b[^\n]{0,160}\s-(?:stdinpass|passphrase)\b|\bExpand-7Zip\b[^\n]{0,120}-Password/
/** The option for the target folder. Without it, the target is the current folder. */
const FOLDER = /\s(?:-d\s{1,4}|-o|-TargetPath\s{1,4})["']?([\w./~$@%{}-]{1,200})/
const ENTERS = /^cd\s{1,4}["']?([^\s"']{1,200})/
const PASSED_ON =
  /^chmod\s{1,4}\S{1,12}\s{1,4}["']?([^\s"']{1,200})|^(?:open|start|xdg-open)\s{1,4}["']?([^\s"'-][^\s"']{0,200})/
const ARCHIVE = /([\w-]{1,80})\.(?:zip|7z|rar)\b/
const FOLDERS_MAX = 64

/**
 * The returned function is called for each line. It returns whether the line starts a file that it or an
 * earlier line extracted.
 */
export function followUnlocked(): (line: string) => boolean {
  const folders = new Set<string>()
  const stems = new Set<string>()
  let isHere = false
  return (line) => {
    if (folders.size === 0 && !isHere && !UNLOCKS.test(line)) return false
    let starts = false
    for (const part of line.split(COMMANDS)) {
      const command = part.trim()
      const [, program, path] = RUNS.exec(command) ?? []
      const [, marked, opened] = PASSED_ON.exec(command) ?? []
      const started = program ?? path ?? marked ?? opened
      if (started !== undefined) starts ||= isIn(started, folders) || (isHere && isLoose(started, stems))
      const entered = ENTERS.exec(command)?.[1]
      if (entered !== undefined && isIn(`${entered}/`, folders)) isHere = true
      if (!UNLOCKS.test(command)) continue
      const archive = ARCHIVE.exec(command)?.[1]
      if (archive !== undefined && stems.size < FOLDERS_MAX) stems.add(archive)
      const folder = command.startsWith('hdiutil')
        ? '/Volumes'
        : FOLDER.exec(command)?.[1]?.replace(/^\.\//, '').replace(/\/$/, '')
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

/** True for a path in the current folder, or in a folder with the name of an extracted archive. */
function isLoose(path: string, stems: ReadonlySet<string>): boolean {
  const plain = path.replace(/^\.\//, '')
  if (!plain.includes('/')) return /^[^~$%-]/.test(plain)
  return stems.has(plain.slice(0, plain.indexOf('/')))
}
