// What one line of shell code does that a reader should know. Comments are not code.

import type { Rule } from './report.ts'

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
const LOCAL_PORT = rule(
  'shell-reverse-shell-heuristic',
  'warning',
  'a connection from the shell to a port of this machine, as a wait for a service does.',
  'Nothing, if it only waits for a local service.',
)
const HEURISTIC = rule(
  'shell-reverse-shell-heuristic',
  'warning',
  'interactive shells and named pipes are parts of a reverse shell.',
  'Remove it, or say in a comment what it is for.',
)
export const EXFIL = rule(
  'shell-sensitive-exfil',
  'error',
  'accounts, keys or the whole environment are handed to a program that sends them away.',
  'Remove it.',
)
export const PIPE_SHELL = rule(
  'shell-curl-pipe-shell',
  'warning',
  'what is run is whatever the server sends at that moment.',
  'Download it, check its sha-256, then run it; or use a package manager.',
)
const DECODED = rule(
  'shell-decoded-command',
  'warning',
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
  'error',
  'it multiplies itself until the machine stops.',
  'Remove it.',
)

const FETCH = /\b(?:curl|wget)\b/
const SHELL_NAME = '(?:\\/[\\w/.-]{1,40}\\/)?(?:ba|z|da|k)?sh\\b'
const BEFORE = '(?:sudo\\s{1,4}(?:-\\S{1,20}\\s{1,4}){0,3})?(?:(?:\\/usr\\/bin\\/)?env\\s{1,4})?'
const RUN = `${BEFORE}${SHELL_NAME}`
// An interpreter without a program of its own takes what is piped for one; with -c, -e, -m or a file it is data.
const INTERPRETER =
  '(?:\\/[\\w/.-]{1,40}\\/)?(?:python[\\d.]{0,5}|pypy3?|node|nodejs|perl|ruby|php|bun|deno\\s{1,4}run)'
const TAKES_PROGRAM = `${BEFORE}${INTERPRETER}(?:\\s{1,4}(?:-[uBIsESOq]{1,5}|--(?!eval|print|check|version)[\\w=-]{1,40})){0,4}(?:\\s{1,4}-(?=[\\s"')\`;|&]|$)|\\s{0,8}(?=$|[;&|)"'\`}]))`
const PIPED = new RegExp(`\\b(?:curl|wget)\\b[^\\n;]{0,600}?(?<!\\|)\\|&?\\s{0,8}(?:${RUN}|${TAKES_PROGRAM})`)
const SUBSTITUTED = new RegExp(
  `(?:${SHELL_NAME}\\s{1,4}(?:-\\w{1,4}\\s{1,4})?|\\beval\\s{1,4}|\\bsource\\s{1,4}|\\.\\s{1,4})["']?(?:<|\\$)\\(\\s{0,4}(?:curl|wget)\\b`,
)
const BASE64_PIPED = new RegExp(
  `\\b(?:base64\\s{1,4}(?:-d|-D|--decode)|xxd\\s{1,4}-r|openssl\\s[^|\\n]{0,80}-d)\\b[^|\\n]{0,200}\\|\\s{0,8}${RUN}`,
)
const NETCAT_EXEC =
  /(?:^|[\s;|&(`"'])(?:nc|ncat|netcat)(?:\.\w{1,12})?\s(?:[^\n|;&]{0,200}\s)?-[a-zA-Z]{0,6}e(?:\s|$)/
const DEV_TCP = /\/dev\/(?:tcp|udp)\/(?!(?:localhost|127\.0\.0\.1)\/)/
const DEV_TCP_LOCAL = /\/dev\/(?:tcp|udp)\/(?:localhost|127\.0\.0\.1)\//
const FORK = /:\s{0,4}\(\s{0,4}\)\s{0,4}\{\s{0,4}:\s{0,4}\|\s{0,4}:\s{0,4}&\s{0,4}\}\s{0,4};\s{0,4}:/
const SENDS = /\b(?:curl|wget|nc|ncat|netcat)\b/
const KEY_FILE =
  /\.ssh\/(?:id_|\*)|\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)|\.aws\/credentials|\.git-credentials|\.kube\/config/
const ENVIRONMENT =
  /(?:^|[;|&(`{]|\$\(|\bdo\s|\bthen\s|\belse\s)\s{0,40}(?:sudo\s)?(?:\/usr\/bin\/)?(?:(?:env|printenv)(?=\s{0,40}(?:$|[|;&>)`}])|-0)|export\s{1,4}-p\b)/
const ROOT =
  /^(?:\/|\/\*|~|~\/|~\/\*|\$\{?HOME\}?\/?\*?|\/(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var)(?:\/?|\/\*))$/

/** True for patterns that mean the same in any text: the classic fork bomb. */
export function isForkBomb(line: string): boolean {
  return FORK.test(line)
}

/** True for a line that opens a shell to another machine. */
export function isReverseShell(line: string): boolean {
  return DEV_TCP.test(line) || NETCAT_EXEC.test(line)
}

/** What one line of shell does, as rules with words for it. `line` has no line continuation left in it. */
export function shellLine(line: string): readonly (readonly [Rule, string])[] {
  const found: (readonly [Rule, string])[] = []
  if (isReverseShell(line)) found.push([REVERSE_SHELL, 'A reverse shell'])
  else if (DEV_TCP_LOCAL.test(line)) found.push([LOCAL_PORT, '/dev/tcp'])
  if (/\bbash\s{1,4}-i\b|\bmkfifo\b/.test(line)) found.push([HEURISTIC, 'bash -i or mkfifo'])
  if (FORK.test(line)) found.push([FORK_BOMB, 'A fork bomb'])
  if (FETCH.test(line) && (PIPED.test(line) || SUBSTITUTED.test(line)))
    found.push([PIPE_SHELL, 'A download is run as a script'])
  if (BASE64_PIPED.test(line)) found.push([DECODED, 'Decoded text is run as a script'])
  if (deletesRoots(line)) found.push([DESTRUCTIVE, 'A recursive rm of a system root'])
  if (
    /\bdd\b[^\n]{0,300}\bof=\/dev\/(?!null|stdout|stderr|zero|fd\/)/.test(line) ||
    /\bmkfs(?:\.\w{1,8})?\s[^\n]{0,100}\/dev\//.test(line)
  )
    found.push([DESTRUCTIVE, 'A device is overwritten'])
  const dumps = ENVIRONMENT.test(line)
  if (dumps) found.push([ENV_DUMP, 'The whole environment is printed'])
  if (SENDS.test(line) && ((dumps && /\|/.test(line)) || KEY_FILE.test(line)))
    found.push([EXFIL, dumps ? 'The environment goes to the network' : 'A key file and a sender on one line'])
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
