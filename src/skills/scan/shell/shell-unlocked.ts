// Detects programs that shell code extracts from an archive with a password and starts. Whoever checks the
// skill cannot see what is in such an archive.

import { STARTED_FILE } from './shell-downloads.ts'

const COMMAND_SEPARATOR = /&&|\|\|?|;/
const LOCKED_EXTRACTION =
  /\bunzip(?:\.exe)?\s[^\n]{0,120}(?<=\s)-[a-zA-Z]{0,6}P\s{0,4}[^\s-]|\b7z[arz]?(?:\.exe)?\s{1,4}[ex]\s[^\n]{0,120}(?<=\s)-p["']?\S|\bunrar\s{1,4}[ex]\s[^\n]{0,120}-p\S|\bbsdtar\b[^\n]{0,120}--passphrase\b|\bditto\b[^\n]{0,80}--password\b|\bhdiutil\s{1,4}(?:attach|mount)\b[^\n]{0,160}\s-(?:stdinpass|passphrase)\b|\bExpand-7Zip\b[^\n]{0,120}-Password/
/** The option for the target folder. Without it, the target is the current folder. */
const TARGET_FOLDER = /\s(?:-d\s{1,4}|-o|-TargetPath\s{1,4})["']?([\w./~$@%{}-]{1,200})/
const CHANGE_FOLDER = /^cd\s{1,4}["']?([^\s"']{1,200})/
const CHMOD_OR_OPEN =
  /^chmod\s{1,4}\S{1,12}\s{1,4}["']?([^\s"']{1,200})|^(?:open|start|xdg-open)\s{1,4}["']?([^\s"'-][^\s"']{0,200})/
const ARCHIVE = /([\w-]{1,80})\.(?:zip|7z|rar)\b/
const FOLDERS_MAX = 64

/**
 * The returned function is called for each line. It returns whether the line starts a file that it or an
 * earlier line extracted.
 */
export function followUnlocked(): (line: string) => boolean {
  const folders = new Set<string>()
  const archiveStems = new Set<string>()
  let isInCurrentFolder = false
  return (line) => {
    if (folders.size === 0 && !isInCurrentFolder && !LOCKED_EXTRACTION.test(line)) return false
    let isStarted = false
    for (const part of line.split(COMMAND_SEPARATOR)) {
      const command = part.trim()
      const [, scriptPath, path] = STARTED_FILE.exec(command) ?? []
      const [, chmodPath, openedPath] = CHMOD_OR_OPEN.exec(command) ?? []
      const started = scriptPath ?? path ?? chmodPath ?? openedPath
      if (started !== undefined)
        isStarted ||=
          isInFolders(started, folders) || (isInCurrentFolder && isExtracted(started, archiveStems))
      const enteredFolder = CHANGE_FOLDER.exec(command)?.[1]
      if (enteredFolder !== undefined && isInFolders(`${enteredFolder}/`, folders)) isInCurrentFolder = true
      if (!LOCKED_EXTRACTION.test(command)) continue
      const archiveStem = ARCHIVE.exec(command)?.[1]
      if (archiveStem !== undefined && archiveStems.size < FOLDERS_MAX) archiveStems.add(archiveStem)
      const folder = command.startsWith('hdiutil')
        ? '/Volumes'
        : TARGET_FOLDER.exec(command)?.[1]?.replace(/^\.\//, '').replace(/\/$/, '')
      if (folder === undefined || folder === '.') isInCurrentFolder = true
      else if (folders.size < FOLDERS_MAX) folders.add(folder)
    }
    return isStarted
  }
}

function isInFolders(path: string, folders: ReadonlySet<string>): boolean {
  const relativePath = path.replace(/^\.\//, '')
  return [...folders].some((folder) => relativePath.startsWith(`${folder}/`))
}

/** True for a path in the current folder, or in a folder with the name of an extracted archive. */
function isExtracted(path: string, archiveStems: ReadonlySet<string>): boolean {
  const relativePath = path.replace(/^\.\//, '')
  if (!relativePath.includes('/')) return /^[^~$%-]/.test(relativePath)
  return archiveStems.has(relativePath.slice(0, relativePath.indexOf('/')))
}
