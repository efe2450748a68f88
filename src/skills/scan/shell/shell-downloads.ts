// Detects files that shell code downloads and then runs, on the same line or a later one, unless it verifies
// them first.

import { graver, isGrave, originOf } from './shell-origin.ts'
import type { Origin } from './shell-origin.ts'

const COMMANDS = /&&|\|\|?|;/
const OUTPUT =
  /\s(?:-out|-OutFile|-[a-zA-Z]{0,8}[oO]|--output(?:-document)?)(?:\s{1,4}|=)?["']?([^\s"'-][^\s"']{0,200})|>\s{0,4}["']?([^\s"'&]{1,200})/gi
const ADDRESS = /https?:\/\/[^\s"'?#]{1,400}\/([\w.-]{1,100})/g
const FETCHES =
  /(?:^|[\s(`])(?:(?:curl|wget)(?:\.exe)?|certutil|bitsadmin|aria2c|Invoke-WebRequest|iwr|Invoke-RestMethod|irm)\s|\bDownloadFile\b/i
/** A variable that is assigned a download, and a command that runs a variable. */
const GIVEN =
  /(?:^|[\s;&])(?:export\s|local\s|readonly\s)?\$?([A-Za-z_]\w{0,40})\s?=\s?["']?(?:\$\(|`|\(?(?=(?:irm|iwr|Invoke-|New-Object|\[)))([^\n]{1,400})/i
const INTERPRETER = '(?:(?:ba|z|da|k)?sh|python[\\d.]{0,5}|node|perl|ruby|php|pwsh|powershell)(?:\\.exe)?'
const RUNS_NAME = new RegExp(
  `(?:\\beval|\\b${INTERPRETER}\\s{1,4}-(?:c|e|r|p|Command)|\\b(?:iex|Invoke-Expression)|::Create\\()\\s{0,4}["'(]{0,2}\\$\\{?(\\w{1,41})|\\$\\{?(\\w{1,41})\\}?["']?\\s{0,4}\\|\\s{0,4}(?:sudo\\s)?(?:${INTERPRETER}(?!\\s{1,4}(?:-\\w{1,3}\\s{1,4}){0,2}-[cempr])|iex|Invoke-Expression)\\b|\\b(?:${INTERPRETER}|(?:source|\\.)\\s{1,4}/dev/stdin)[^\\n|;&<]{0,40}<<<\\s{0,4}["']?\\$\\{?(\\w{1,41})`,
  'i',
)
const VERIFIES = /\b(?:sha(?:1|224|256|384|512)?sum|shasum|gpg2?|gpgv|cosign|minisign|openssl\s{1,4}dgst)\b/
/** A command that starts a file, through an interpreter or by its path. */
export const RUNS =
  /^(?:(?:sudo|nohup|exec|setsid|command|time)\s{1,4}(?:-\S{1,20}\s{1,4}){0,3}){0,3}(?:&\s{1,4})?(?:(?:\/[\w/.-]{1,40}\/)?(?:(?:ba|z|da|k)?sh|python[\d.]{0,5}|node|perl|ruby|php|source|\.|pwsh|powershell|Start-Process)\s{1,4}(?:-[a-zA-Z]{1,12}\s{1,4}){0,3}["']?([^\s"'-][^\s"']{0,200})|["']?((?:\.{0,2}|~|\$\w{1,30})\/[^\s"']{1,200}))/
const NAMES_MAX = 1_024

/**
 * The returned function is called for each line. It returns the origin of what the line runs if this line or
 * an earlier one downloaded it, otherwise null.
 */
export function followDownloads(): (line: string) => Origin | null {
  const names = new Map<string, Origin>()
  return (line) => {
    if (names.size === 0 && !FETCHES.test(line) && originOf(line) === null) return null
    let ran: Origin | null = null
    const runName = RUNS_NAME.exec(line)
      ?.slice(1)
      .find((name) => name !== undefined)
    ran = names.get(`$${runName?.toLowerCase()}`) ?? null
    const [, given = '', command = ''] = GIVEN.exec(line) ?? []
    const origin = originOf(command)
    if (origin !== null && names.size < NAMES_MAX) names.set(`$${given.toLowerCase()}`, origin)
    for (const part of line.split(COMMANDS)) {
      const command = part.trim()
      if (VERIFIES.test(command)) forgetNamed(names)
      const [, program, path] = RUNS.exec(command) ?? []
      ran = graver(ran, names.get(baseName(program ?? path ?? '')) ?? null)
      const from = originOf(command)
      if ((FETCHES.test(command) || from === 'decoded') && names.size < NAMES_MAX)
        for (const name of downloaded(command)) names.set(baseName(name), kept(from))
      names.delete('')
    }
    return ran
  }
}

/**
 * Forgets downloads that were verified. A digest does not make up for an untrustworthy origin, so grave ones
 * remain.
 */
function forgetNamed(names: Map<string, Origin>): void {
  for (const [name, origin] of names) if (!isGrave(origin)) names.delete(name)
}

/**
 * Lowers the origin of a download over plain http: people can inspect a file before running it, so that alone
 * is not an error.
 */
function kept(origin: Origin | null): Origin {
  return origin === 'bare' || origin === 'paste' || origin === 'decoded' ? origin : 'named'
}

function downloaded(command: string): readonly string[] {
  const named = Array.from(command.matchAll(OUTPUT), (match) => match[1] ?? match[2] ?? '')
  // `-O` is followed by the file name in wget, but takes the name from the address in curl. Both names are
  // remembered.
  return [...named, ...Array.from(command.matchAll(ADDRESS), (match) => match[1] ?? '')]
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
