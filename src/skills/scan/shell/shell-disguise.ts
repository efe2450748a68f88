// Detects commands whose names are disguised: split by quotes, $IFS or escapes, or assembled from variables.
// Honest code writes the name of a command in plain text.

const NAME =
  /^(?:\/[\w/.-]{1,40}\/)?(?:curl|wget|bash|sh|zsh|dash|python3?|perl|node|nc|ncat|eval|exec|base64|powershell|pwsh|osascript)$/
/** A name obfuscated with quotes or backslashes: c'u'rl, ba""sh, w\get. */
const SPLIT = /(?<![\w'"\\$/.=-])[a-z]{1,6}(?:['"\\]{1,2}[a-z0-9]{1,6}){1,6}['"]?(?![\w'"\\-])/g
/** `$IFS` inside a word, in place of a space. */
const NO_BLANK = /[\w'"]\$\{?IFS\b(?:%\?\?)?\}?[\w'"$/-]/
const ESCAPED =
  /(?:\$\(|`)\s{0,4}(?:echo\s{1,4}-[a-zA-Z]{0,3}e\w?|printf)\s{1,4}(?:["']?%b["']?\s{1,4})?["']?(?:\\x[0-9a-fA-F]{2}|\\[0-7]{3}){3}|(?:\$\(|`)\s{0,4}(?:echo|printf)\s{1,4}["']?[\w:/. -]{2,200}["']?\s{0,4}\|\s{0,4}rev\s{0,4}[)`]|\$'(?:\\x[0-9a-fA-F]{2}|\\[0-7]{3}){3}/

/** True for a segment of a shell line that contains a disguised command. */
export function isDisguised(line: string): boolean {
  if (NO_BLANK.test(line) || ESCAPED.test(line)) return true
  for (const [word] of /['"\\]/.test(line) ? line.matchAll(SPLIT) : [])
    if (NAME.test(word.replace(/['"\\]/g, ''))) return true
  return false
}

const GIVEN =
  /(?:^|[\s;&(])(?:export\s|local\s|readonly\s)?([A-Za-z_]\w{0,40})=("[^"\n`(]{0,200}"|'[^'\n]{0,200}'|[^\s;&|"'`()]{0,200})/g
const USED = /\$\{?([A-Za-z_]\w{0,40})\}?/g
const VALUES_MAX = 1_024

/**
 * The returned function is called for each line of a script. It returns whether the line runs a command whose
 * name is assembled from variables.
 */
export function followPieces(): (line: string) => boolean {
  const values = new Map<string, { readonly text: string; readonly pieces: number }>()
  // The folder of a program is often in a variable. "$VENV/bin/python3" still shows the name of the program.
  const whole = (path: string): { readonly text: string; readonly pieces: number } => {
    let pieces = 0
    const words = path.replace(/^[^\s]*\//, '')
    const text = words.replace(USED, (seen, name: string) => {
      const value = values.get(name)
      pieces += value?.pieces ?? 0
      return value?.text ?? seen
    })
    const own = words.replace(USED, '').replace(/["']/g, '')
    return { text: text.replace(/["']/g, '').slice(0, 200), pieces: pieces + (own === '' ? 0 : 1) }
  }
  return (line) => {
    for (const [, name = '', words = ''] of line.includes('=') ? line.matchAll(GIVEN) : [])
      if (values.size < VALUES_MAX || values.has(name)) values.set(name, whole(words))
    if (values.size === 0 || !line.includes('$')) return false
    for (const command of line.split(/&&|\|\|?|;|\$\(|`|\bthen\b|\bdo\b/)) {
      const word = /^\s{0,8}(["']?[\w${}"'/]{0,100}\$[\w${}"'/]{1,100})(?=\s|$)/.exec(command)?.[1]
      if (word === undefined) continue
      const { text, pieces } = whole(word)
      if (pieces > 1 && NAME.test(text)) return true
    }
    return false
  }
}
