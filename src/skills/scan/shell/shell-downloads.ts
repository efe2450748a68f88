// Detects files that shell code downloads and then runs, on the same line or a later one, unless it verifies
// them first.

import { moreSevere, isUntrusted, originOfCommand } from './shell-origin.ts'
import type { Origin } from './shell-origin.ts'

const COMMAND_SEPARATOR = /&&|\|\|?|;/
const OUTPUT =
  /\s(?:-out|-OutFile|-[a-zA-Z]{0,8}[oO]|--output(?:-document)?)(?:\s{1,4}|=)?["']?([^\s"'-][^\s"']{0,200})|>\s{0,4}["']?([^\s"'&]{1,200})/gi
const ADDRESS = /https?:\/\/[^\s"'?#]{1,400}\/([\w.-]{1,100})/g
const DOWNLOADER =
  /(?:^|[\s(`])(?:(?:curl|wget)(?:\.exe)?|certutil|bitsadmin|aria2c|Invoke-WebRequest|iwr|Invoke-RestMethod|irm)\s|\bDownloadFile\b/i
/** A variable that is assigned a download, and a command that runs a variable. */
const ASSIGNMENT =
  /(?:^|[\s;&])(?:export\s|local\s|readonly\s)?\$?([A-Za-z_]\w{0,40})\s?=\s?["']?(?:\$\(|`|\(?(?=(?:irm|iwr|Invoke-|New-Object|\[)))([^\n]{1,400})/i
const INTERPRETER = '(?:(?:ba|z|da|k)?sh|python[\\d.]{0,5}|node|perl|ruby|php|pwsh|powershell)(?:\\.exe)?'
const RUN_VARIABLE = new RegExp(
  `(?:\\beval|\\b${INTERPRETER}\\s{1,4}-(?:c|e|r|p|Command)|\\b(?:iex|Invoke-Expression)|::Create\\()\\s{0,4}["'(]{0,2}\\$\\{?(\\w{1,41})|\\$\\{?(\\w{1,41})\\}?["']?\\s{0,4}\\|\\s{0,4}(?:sudo\\s)?(?:${INTERPRETER}(?!\\s{1,4}(?:-\\w{1,3}\\s{1,4}){0,2}-[cempr])|iex|Invoke-Expression)\\b|\\b(?:${INTERPRETER}|(?:source|\\.)\\s{1,4}/dev/stdin)[^\\n|;&<]{0,40}<<<\\s{0,4}["']?\\$\\{?(\\w{1,41})`,
  'i',
)
const VERIFIER = /\b(?:sha(?:1|224|256|384|512)?sum|shasum|gpg2?|gpgv|cosign|minisign|openssl\s{1,4}dgst)\b/
/** A command that starts a file, through an interpreter or by its path. */
export const STARTED_FILE =
  /^(?:(?:sudo|nohup|exec|setsid|command|time)\s{1,4}(?:-\S{1,20}\s{1,4}){0,3}){0,3}(?:&\s{1,4})?(?:(?:\/[\w/.-]{1,40}\/)?(?:(?:ba|z|da|k)?sh|python[\d.]{0,5}|node|perl|ruby|php|source|\.|pwsh|powershell|Start-Process)\s{1,4}(?:-[a-zA-Z]{1,12}\s{1,4}){0,3}["']?([^\s"'-][^\s"']{0,200})|["']?((?:\.{0,2}|~|\$\w{1,30})\/[^\s"']{1,200}))/
const NAMES_MAX = 1_024

/**
 * The returned function is called for each line. It returns the origin of what the line runs if this line or
 * an earlier one downloaded it, otherwise null.
 */
export function followDownloads(): (line: string) => Origin | null {
  const origins = new Map<string, Origin>()
  return (line) => {
    if (origins.size === 0 && !DOWNLOADER.test(line) && originOfCommand(line) === null) return null
    let runOrigin: Origin | null = null
    const runName = RUN_VARIABLE.exec(line)
      ?.slice(1)
      .find((name) => name !== undefined)
    runOrigin = origins.get(`$${runName?.toLowerCase()}`) ?? null
    const [, variable = '', command = ''] = ASSIGNMENT.exec(line) ?? []
    const origin = originOfCommand(command)
    if (origin !== null && origins.size < NAMES_MAX) origins.set(`$${variable.toLowerCase()}`, origin)
    for (const part of line.split(COMMAND_SEPARATOR)) {
      const command = part.trim()
      if (VERIFIER.test(command)) forgetVerified(origins)
      const [, scriptPath, path] = STARTED_FILE.exec(command) ?? []
      runOrigin = moreSevere(runOrigin, origins.get(baseName(scriptPath ?? path ?? '')) ?? null)
      const commandOrigin = originOfCommand(command)
      if ((DOWNLOADER.test(command) || commandOrigin === 'decoded') && origins.size < NAMES_MAX)
        for (const name of downloadedFiles(command)) origins.set(baseName(name), originOfFile(commandOrigin))
      origins.delete('')
    }
    return runOrigin
  }
}

/** Forgets verified downloads, except those of an untrusted origin, which a digest does not make trustworthy. */
function forgetVerified(origins: Map<string, Origin>): void {
  for (const [name, origin] of origins) if (!isUntrusted(origin)) origins.delete(name)
}

/**
 * Lowers the origin of a download over plain http: people can inspect a file before running it, so plain http
 * alone is not an error.
 */
function originOfFile(origin: Origin | null): Origin {
  return origin === 'bare' || origin === 'paste' || origin === 'decoded' ? origin : 'named'
}

function downloadedFiles(command: string): readonly string[] {
  const named = Array.from(command.matchAll(OUTPUT), (match) => match[1] ?? match[2] ?? '')
  // `-O` is followed by the file name in wget, but takes the name from the address in curl. Both names are
  // remembered.
  return [...named, ...Array.from(command.matchAll(ADDRESS), (match) => match[1] ?? '')]
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
