// Parses the names and arguments of dot commands.

/** All dot commands of sqlite3 3.40 and later. Those not in `HERE` are refused. */
const NAMES =
  `archive auth backup bail binary cd changes check clone connection crlf databases dbconfig dbinfo dbtotxt dump echo eqp
excel exit expert explain filectrl fullschema headers help import imposter indexes indices intck iotrace limit lint load log mode
nonce nullvalue once open output parameter print progress prompt quit read recover restore save scanstats schema selecttrace
selftest separator session sha3sum shell show stats system tables testcase testctrl timeout timer trace unmodule version vfsinfo
vfslist vfsname wheretrace width`.split(/\s+/)

/** The full name of a dot command, which may be abbreviated; null if there is none. */
export function dotName(word: string): string | null {
  if (NAMES.includes(word)) return word
  return NAMES.find((name) => word.length > 0 && name.startsWith(word)) ?? null
}

/** Splits a line into words. Quotes keep a word together, and backslashes are escapes in double quotes. */
export function dotWords(line: string): readonly string[] {
  const words: string[] = []
  for (const [, single, double, plain] of line.matchAll(/'([^']*)'?|"((?:[^"\\]|\\.)*)"?|([^\s'"]\S*)/gs))
    words.push(single ?? plain ?? unescaped(double ?? ''))
  return words
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{1,3}|.)/gs, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
  )
}
