// What one line of shell code does that a reader should know. Comments are not code.

import type { Rule } from './report.ts'
import { isReverseShell } from './reverse-shell.ts'
import { isGrave } from './shell-origin.ts'
import type { Origin } from './shell-origin.ts'
import { isSelfDecoded, pipedIntoShell } from './shell-pipes.ts'

const rule = (id: string, severity: Rule['severity'], why: string, mend: string): Rule => ({
  id,
  severity,
  why,
  mend,
})

export const REVERSE_SHELL = rule(
  'shell-reverse-shell',
  'error',
  'it opens a connection through which somebody else types commands.',
  'Remove it. A skill has no honest use for it.',
)
const HEURISTIC = rule(
  'shell-reverse-shell-heuristic',
  'warning',
  'interactive shells, named pipes and connections of the shell are parts of a reverse shell.',
  'Remove it, or say in a comment what it is for.',
)
const LOCAL_PORT: Rule = {
  ...HEURISTIC,
  severity: 'note',
  why: 'a connection of the shell to a port, as a wait for a service makes one.',
  mend: 'Nothing, if it only waits for a service.',
}
export const EXFIL = rule(
  'shell-sensitive-exfil',
  'warning',
  'accounts, keys or the whole environment are handed to a program that sends them away.',
  'Remove it.',
)
const PIPE_SHELL = rule(
  'shell-curl-pipe-shell',
  'warning',
  'what is run is whatever the server sends at that moment.',
  'Download it, check its sha-256, then run it; or use a package manager.',
)
const PIPE_STRANGER: Rule = {
  ...PIPE_SHELL,
  severity: 'error',
  why: 'what is run comes from nobody: from an address without a name, without encryption, or from where anybody leaves anything.',
  mend: 'Remove it; or download it over https from a host that has a name, check its sha-256, then run it.',
}
const DECODED = rule(
  'shell-decoded-command',
  'error',
  'commands that are encoded cannot be read by whoever checks the skill.',
  'Write the commands in clear.',
)
const DESTRUCTIVE = rule(
  'shell-destructive-command',
  'warning',
  'it deletes or overwrites a whole system tree or device.',
  'Name the one folder that is meant, below the working directory.',
)
const ENV_DUMP = rule(
  'shell-env-dump',
  'warning',
  'the environment holds secrets, and its whole is printed into what the model reads.',
  'Ask for the one variable that is needed.',
)
export const FORK_BOMB = rule(
  'resource-fork-bomb',
  'warning',
  'it multiplies itself until the machine stops.',
  'Remove it.',
)

const DEV_TCP = /\/dev\/(?:tcp|udp)\//
const FORK = /:\s{0,4}\(\s{0,4}\)\s{0,4}\{\s{0,4}:\s{0,4}\|\s{0,4}:\s{0,4}&\s{0,4}\}\s{0,4};\s{0,4}:/
const SENDS = /\b(?:curl|wget|nc|ncat|netcat)\b/
const KEY_FILE =
  /\.ssh\/(?:id_|\*)|\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)|\.aws\/credentials|\.git-credentials|\.kube\/config/
const ENVIRONMENT =
  /(?:^|[;|&(`{]|\$\(|\bdo\s|\bthen\s|\belse\s)\s{0,40}(?:sudo\s)?(?:\/usr\/bin\/)?(?:(?:env|printenv)(?=\s{0,40}(?:$|[|;&>)`}])|-0)|export\s{1,4}-p\b)/
/** Looks one up, or names what is set. */
const PICKED = /\b(?:env|printenv)\s{0,4}\|\s{0,4}(?:[ef]?grep|rg|awk|wc|cut)\b/
const ROOT =
  /^(?:\/|\/\*|~|~\/|~\/\*|\$\{?HOME\}?\/?\*?|\/(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var)(?:\/?|\/\*))$/

/** True for patterns that mean the same in any text: the classic fork bomb. */
export function isForkBomb(line: string): boolean {
  return FORK.test(line)
}

/** What a whole line hands to a shell, however long it is. */
export function pipes(line: string): readonly (readonly [Rule, string])[] {
  const origin = pipedIntoShell(line)
  return origin === null ? [] : [toldOf(origin)]
}

/** A download, or a decoded text, that is run. */
export function toldOf(origin: Origin): readonly [Rule, string] {
  if (origin === 'decoded') return [DECODED, 'Decoded text is run as a script']
  return [isGrave(origin) ? PIPE_STRANGER : PIPE_SHELL, 'A download is run as a script']
}

/** What one stretch of a line of shell does, as rules with words for it. It has no line continuation left in it. */
export function shellLine(line: string): readonly (readonly [Rule, string])[] {
  const found: (readonly [Rule, string])[] = []
  if (isReverseShell(line)) found.push([REVERSE_SHELL, 'A reverse shell'])
  else if (DEV_TCP.test(line)) found.push([LOCAL_PORT, '/dev/tcp'])
  else if (/\bbash\s{1,4}-i\b|\bmkfifo\b/.test(line)) found.push([HEURISTIC, 'bash -i or mkfifo'])
  if (isForkBomb(line)) found.push([FORK_BOMB, 'A fork bomb'])
  if (isSelfDecoded(line)) found.push([DECODED, 'A program that decodes itself'])
  if (deletesRoots(line)) found.push([DESTRUCTIVE, 'A recursive rm of a system root'])
  if (
    /\bdd\b[^\n]{0,300}\bof=\/dev\/(?!null|stdout|stderr|zero|fd\/)/.test(line) ||
    /\bmkfs(?:\.\w{1,8})?\s[^\n]{0,100}\/dev\//.test(line)
  )
    found.push([DESTRUCTIVE, 'A device is overwritten'])
  const dumps = ENVIRONMENT.test(line)
  const sends = SENDS.test(line) && ((dumps && /\|/.test(line)) || KEY_FILE.test(line))
  if (sends)
    found.push([EXFIL, dumps ? 'The environment goes to the network' : 'A key file and a sender on one line'])
  else if (dumps && !PICKED.test(line)) found.push([ENV_DUMP, 'The whole environment is printed'])
  return found
}

function deletesRoots(line: string): boolean {
  for (const match of line.matchAll(/\brm\s([^\n;|&]{1,400})/g)) {
    const words = (match[1] ?? '').split(/\s+/).map((word) => word.replace(/^["']|["']$/g, ''))
    const recursive = words.some((word) => /^-[a-zA-Z]{0,10}[rR]/.test(word) || word === '--recursive')
    if (recursive && words.some((word) => ROOT.test(word))) return true
  }
  return false
}
