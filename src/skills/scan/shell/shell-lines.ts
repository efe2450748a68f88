// Rules about single lines of shell code, without comments, and about files and variables that hold keys.

import { isDisguised } from './shell-disguise.ts'
import { isReverseShell } from './reverse-shell.ts'
import type { RuleId } from '../rules/rules.ts'
import { isUntrusted } from './shell-origin.ts'
import type { Origin } from './shell-origin.ts'
import { isSelfDecoded, pipedIntoShell } from './shell-pipes.ts'

const DEV_TCP = /\/dev\/(?:tcp|udp)\//
const FORK_BOMB = /:\s{0,4}\(\s{0,4}\)\s{0,4}\{\s{0,4}:\s{0,4}\|\s{0,4}:\s{0,4}&\s{0,4}\}\s{0,4};\s{0,4}:/
const SENDER = /\b(?:curl|wget|nc|ncat|netcat)\b/
const KEY_FILE =
  /\.ssh\/(?:id_|\*)|\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)|\.aws\/credentials|\.git-credentials|\.kube\/config|\.config\/gcloud|\.gnupg\/|Library\/Keychains|\.docker\/config\.json/
const ENVIRONMENT =
  /(?:^|[;|&(`{]|\$\(|\bdo\s|\bthen\s|\belse\s)\s{0,40}(?:sudo\s)?(?:\/usr\/bin\/)?(?:(?:env|printenv)(?=\s{0,40}(?:$|[|;&>)`}])|-0)|export\s{1,4}-p\b)/
/** The environment is only filtered or counted. */
const FILTERED_ENVIRONMENT = /\b(?:env|printenv)\s{0,4}\|\s{0,4}(?:[ef]?grep|rg|awk|wc|cut)\b/
const ROOT_FOLDER =
  /^(?:\/|\/\*|~|~\/|~\/\*|\$\{?HOME\}?\/?\*?|\/(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var)(?:\/?|\/\*))$/

/** True for the classic fork bomb, which means the same in any text. */
export function isForkBomb(line: string): boolean {
  return FORK_BOMB.test(line)
}

/**
 * The finding about text that a line passes to a shell, if any. Unlike the other rules, it takes lines of any
 * length.
 */
export function findPipedRun(line: string): readonly (readonly [RuleId, string])[] {
  const origin = pipedIntoShell(line)
  return origin === null ? [] : [findingFor(origin)]
}

/** The rule and the summary for text from this origin that is run. */
export function findingFor(origin: Origin): readonly [RuleId, string] {
  if (origin === 'decoded') return ['shell-decoded-command', 'Decoded text is run as a script']
  return [
    isUntrusted(origin) ? 'shell-untrusted-pipe-shell' : 'shell-curl-pipe-shell',
    'A download is run as a script',
  ]
}

/**
 * The rules that match a segment of a shell line, each with a summary. Continued lines must be joined before.
 */
export function checkShellLine(line: string): readonly (readonly [RuleId, string])[] {
  const hits: (readonly [RuleId, string])[] = []
  if (isReverseShell(line)) hits.push(['shell-reverse-shell', 'A reverse shell'])
  else if (DEV_TCP.test(line)) hits.push(['shell-connection', '/dev/tcp'])
  else if (/\bbash\s{1,4}-i\b|\bmkfifo\b/.test(line))
    hits.push(['shell-reverse-shell-heuristic', 'bash -i or mkfifo'])
  if (isForkBomb(line)) hits.push(['resource-fork-bomb', 'A fork bomb'])
  if (isSelfDecoded(line)) hits.push(['shell-decoded-command', 'A program that decodes itself'])
  if (isDisguised(line)) hits.push(['shell-decoded-command', 'A command with a disguised name'])
  if (deletesRoots(line))
    hits.push(['shell-destructive-command', 'A recursive rm of a system or home folder'])
  if (
    /\bdd\b[^\n]{0,300}\bof=\/dev\/(?!null|stdout|stderr|zero|fd\/)/.test(line) ||
    /\bmkfs(?:\.\w{1,8})?\s[^\n]{0,100}\/dev\//.test(line)
  )
    hits.push(['shell-destructive-command', 'A device is overwritten'])
  const dumpsEnvironment = ENVIRONMENT.test(line)
  const sendsSecrets =
    SENDER.test(line) && ((dumpsEnvironment && /\||\$\(/.test(line)) || KEY_FILE.test(line))
  if (sendsSecrets)
    hits.push([
      'shell-sensitive-exfil',
      dumpsEnvironment
        ? 'The environment is sent over the network'
        : 'A key file and a command that sends data on one line',
    ])
  else if (dumpsEnvironment && !FILTERED_ENVIRONMENT.test(line))
    hits.push(['shell-env-dump', 'The whole environment is printed'])
  return hits
}

const DUMP_TARGET =
  /(?:^|[\s;|&(`])(?:env|printenv|export\s{1,4}-p)\s{0,4}(?:\|[^\n;&]{0,80})?>{1,2}\s{0,4}["']?([^\s"';|&]{1,200})|([A-Za-z_]\w{0,40})=["']?(?:\$\(|`)\s{0,4}(?:env|printenv|export\s{1,4}-p)\b/
const KEY_STORES =
  '(?:\\.aws\\b|\\.ssh\\/(?:id_\\w{1,20}\\b(?!\\.pub)|\\*)|\\.ssh(?=[\\s"\']|$)|\\.netrc|\\.git-credentials|\\.kube\\/config|\\.gnupg\\b|\\.docker\\/config\\.json|\\/etc\\/shadow)'
const KEY_COPY = new RegExp(
  `\\b(?:(?:cat|base64|gzip)\\s[^\\n;&|]{0,200}${KEY_STORES}|aws configure export-credentials\\b)[^\\n;&|]{0,80}(?:\\|[^\\n;&]{0,80})?>{1,2}\\s{0,4}["']?([^\\s"';|&]{1,200})|\\b(?:tar\\s{1,4}-?\\w{0,6}f|zip\\s{1,4}-\\w{1,6})\\s{1,4}["']?([^\\s"'-][^\\s"']{0,200})\\s[^\\n;&|]{0,200}${KEY_STORES}|\\bcp\\s[^\\n;&|]{0,100}${KEY_STORES}[^\\s;&|]{0,40}\\s{1,4}["']?([^\\s"';|&]{1,200})|\\b([A-Za-z_]\\w{0,40})=["']?\\$\\((?:cat|base64)\\s[^\\n;&|)]{0,100}${KEY_STORES}`,
)
const SENDS_FILE =
  /(?:[@<]|(?:\s-d|--data[\w-]{0,12})[ =]?["']?(?:\w{1,20}=)?\$\{?|\s-T\s?|--(?:upload|post)-file[ =]|\bscp\s)\s{0,4}["']?$/
const DUMPS_MAX = 64

/**
 * The returned function is called for each line. It returns whether the line sends a copy of a key file that
 * an earlier line made.
 */
export function followCopies(): (line: string) => boolean {
  const paths: string[] = []
  return (line) => {
    const sent = /\b(?:curl|wget|nc|ncat|netcat|scp)\s/.test(line) && paths.some((path) => isSent(line, path))
    const path = KEY_COPY.exec(line)
      ?.slice(1)
      .find((hits) => hits !== undefined)
    if (path !== undefined && !path.startsWith('/dev/') && paths.length < DUMPS_MAX) paths.push(path)
    return sent
  }
}

function isSent(line: string, path: string): boolean {
  const pathOffset = line.indexOf(path)
  return pathOffset >= 0 && SENDS_FILE.test(line.slice(0, pathOffset))
}

/**
 * The returned function is called for each line. It returns whether the line sends the whole environment,
 * which an earlier line stored in a file or a variable.
 */
export function followDumps(): (line: string) => boolean {
  const paths: string[] = []
  return (line) => {
    const sent = paths.length > 0 && SENDER.test(line) && paths.some((path) => line.includes(path))
    const [, file, name = file] = DUMP_TARGET.exec(line) ?? []
    if (name !== undefined && paths.length < DUMPS_MAX) paths.push(name)
    return sent
  }
}

function deletesRoots(line: string): boolean {
  for (const match of line.matchAll(/\brm\s([^\n;|&]{1,400})/g)) {
    const words = (match[1] ?? '').split(/\s+/).map((word) => word.replace(/^["']|["']$/g, ''))
    const isRecursive = words.some((word) => /^-[a-zA-Z]{0,10}[rR]/.test(word) || word === '--recursive')
    if (isRecursive && words.some((word) => ROOT_FOLDER.test(word))) return true
  }
  return false
}
