// Detects lines that connect a shell to the network, which lets someone else run commands. A connection alone
// is not enough.

const CONNECTION = /\/dev\/(?:tcp|udp)\//
const NETCAT = '(?:^|[\\s;|&(`"\'])(?:nc|ncat|netcat)(?:\\.\\w{1,12})?\\s'
const SHELL = '(?:\\/[\\w/.-]{1,40}\\/)?(?:(?:ba|z|da|k|a)?sh|cmd(?:\\.exe)?|powershell(?:\\.exe)?)\\b'
/** A shell that is interactive, or that reads its input from the connection to which its output goes. */
const CONNECTED_SHELL = new RegExp(
  `(?<![\\w./-])${SHELL}\\s{1,4}-[a-z]{0,4}i\\b|0\\s{0,2}(?:>|<)\\s{0,2}&\\s{0,2}\\d|\\b(?:ba|z|da|k)?sh\\s{1,4}<\\s{0,2}&|\\bwhile\\s{1,4}read\\b[^\\n]{0,200}(?:\\beval\\b|do\\s{1,4}["']?\\$)`,
)
const RUNS_SHELL = [
  new RegExp(`${NETCAT}(?:[^\\n|;&]{0,200}\\s)?-[a-zA-Z]{0,6}e(?:\\s|$)`),
  new RegExp(`${NETCAT}(?:[^\\n|;&]{0,200}\\s)?-[a-zA-Z]{0,6}c\\s{1,4}["']?${SHELL}`),
  new RegExp(`${NETCAT}[^\\n|;&]{0,200}--(?:sh-)?exec[ =]["']?${SHELL}`),
  // A reverse tunnel to the SSH port of this machine.
  /\bssh\s(?:[^\n|;&]{0,120}\s)?-[a-zA-Z]{0,6}R\s{0,4}[\w.:*]{0,60}:(?:localhost|127\.0\.0\.1):22\b/,
  new RegExp(`\\bsocat\\s[^\\n]{0,200}\\bexec:["'\`]{0,2}${SHELL}`, 'i'),
]
/**
 * Patterns that together, in one segment, indicate a reverse shell. Matching them separately avoids slow
 * combined patterns.
 */
const REVERSE_SHELL_PARTS: readonly (readonly RegExp[])[] = [
  [/\bmkfifo\b/, new RegExp(`${SHELL}[^\\n|]{0,80}\\|\\s{0,8}(?:nc|ncat|netcat|openssl\\s{1,4}s_client)\\s`)],
  // A one-liner in another language: a socket that becomes input and output, and a shell.
  [/\bsocket\b/, /\bdup2\b/, /["'/](?:ba|z|da|k)?sh\b|\bpty\.spawn\b/],
  [
    /\b(?:ruby|php|perl)\b/,
    /\b(?:TCPSocket|fsockopen|PeerAddr|inet_aton)\b/,
    /\bsh\s{1,4}-i\b|\/bin\/(?:ba|z)?sh\b/,
  ],
  [/\/inet\/tcp\//, /\bgetline\b/],
  [/\bztcp\b|zsh\/net\/tcp/, /\beval\b|\b(?:ba|z)?sh\s{0,4}[<0]/],
  [/\bTCPClient\b/, /\b(?:iex|Invoke-Expression)\b/i],
]

/** A placeholder for the address, as in examples, with which no connection is possible. */
const PLACEHOLDER_ADDRESS =
  /\/dev\/(?:tcp|udp)\/(?:<[\w .-]{1,40}>|\[[A-Za-z_ -]{1,40}\]|[A-Z][A-Z_]{3,40})\/|(?:nc|ncat|netcat)(?:\.\w{1,12})?\s(?:-\S{1,8}\s(?:\/\S{1,20}\s)?){0,4}(?:<[\w .-]{1,40}>|\[[A-Za-z_ -]{1,40}\]|[A-Z][A-Z_]{3,40})(?=\s|$)/
const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|\b[\w-]{1,63}\.[a-z]{2,10}\b|\$\{?\w/

/** True for a segment of a line that opens a reverse shell. */
export function isReverseShell(line: string): boolean {
  if (PLACEHOLDER_ADDRESS.test(line) && !ADDRESS.test(line)) return false
  if (CONNECTION.test(line) && CONNECTED_SHELL.test(line)) return true
  if (RUNS_SHELL.some((pattern) => pattern.test(line))) return true
  return REVERSE_SHELL_PARTS.some((parts) => parts.every((pattern) => pattern.test(line)))
}

/**
 * The returned function is called for each line of a script. It returns whether the line connects a shell to
 * a connection that an earlier line opened.
 */
export function followConnections(): (line: string) => boolean {
  const handles = new Set<string>()
  return (line) => {
    const opened = /\bexec\s{1,4}(\d{1,3})\s{0,2}<>\s{0,2}\/dev\/(?:tcp|udp)\//.exec(line)?.[1]
    if (opened !== undefined) handles.add(opened)
    if (handles.size === 0) return false
    const used = /<&\s{0,2}(\d{1,3})/.exec(line)?.[1]
    if (used === undefined || !handles.has(used)) return false
    return /\b(?:ba|z|da|k)?sh\b|\beval\b|\bdo\s{1,4}["']?\$/.test(line)
  }
}
