// Detects commands whose names are disguised: split by quotes, $IFS or escapes, or assembled from variables.
// Honest code writes the name of a command in plain text.

const PROGRAM_NAME =
  /^(?:\/[\w/.-]{1,40}\/)?(?:curl|wget|bash|sh|zsh|dash|python3?|perl|node|nc|ncat|eval|exec|base64|powershell|pwsh|osascript)$/
/** A name obfuscated with quotes or backslashes: c'u'rl, ba""sh, w\get. */
const SPLIT_NAME = /(?<![\w'"\\$/.=-])[a-z]{1,6}(?:['"\\]{1,2}[a-z0-9]{1,6}){1,6}['"]?(?![\w'"\\-])/g
/** `$IFS` inside a word, in place of a space. */
const IFS_IN_WORD = /[\w'"]\$\{?IFS\b(?:%\?\?)?\}?[\w'"$/-]/
const ESCAPED_COMMAND =
  /(?:\$\(|`)\s{0,4}(?:echo\s{1,4}-[a-zA-Z]{0,3}e\w?|printf)\s{1,4}(?:["']?%b["']?\s{1,4})?["']?(?:\\x[0-9a-fA-F]{2}|\\[0-7]{3}){3}|(?:\$\(|`)\s{0,4}(?:echo|printf)\s{1,4}["']?[\w:/. -]{2,200}["']?\s{0,4}\|\s{0,4}rev\s{0,4}[)`]|\$'(?:\\x[0-9a-fA-F]{2}|\\[0-7]{3}){3}/

/** True for a segment of a shell line that contains a disguised command. */
export function isDisguised(line: string): boolean {
  if (IFS_IN_WORD.test(line) || ESCAPED_COMMAND.test(line)) return true
  for (const [commandName] of /['"\\]/.test(line) ? line.matchAll(SPLIT_NAME) : [])
    if (PROGRAM_NAME.test(commandName.replace(/['"\\]/g, ''))) return true
  return false
}

const ASSIGNMENT =
  /(?:^|[\s;&(])(?:export\s|local\s|readonly\s)?([A-Za-z_]\w{0,40})=("[^"\n`(]{0,200}"|'[^'\n]{0,200}'|[^\s;&|"'`()]{0,200})/g
const VARIABLE = /\$\{?([A-Za-z_]\w{0,40})\}?/g
const VALUES_MAX = 1_024

/**
 * The returned function is called for each line of a script. It returns whether the line runs a command whose
 * name is assembled from variables.
 */
export function followAssembledNames(): (line: string) => boolean {
  const values = new Map<string, { readonly text: string; readonly pieces: number }>()
  // The folder of a program is often in a variable. "$VENV/bin/python3" still shows the name of the program.
  const expand = (path: string): { readonly text: string; readonly pieces: number } => {
    let pieces = 0
    const expression = path.replace(/^[^\s]*\//, '')
    const text = expression.replace(VARIABLE, (reference, name: string) => {
      const value = values.get(name)
      pieces += value?.pieces ?? 0
      return value?.text ?? reference
    })
    const literalText = expression.replace(VARIABLE, '').replace(/["']/g, '')
    return { text: text.replace(/["']/g, '').slice(0, 200), pieces: pieces + (literalText === '' ? 0 : 1) }
  }
  return (line) => {
    for (const [, name = '', expression = ''] of line.includes('=') ? line.matchAll(ASSIGNMENT) : [])
      if (values.size < VALUES_MAX || values.has(name)) values.set(name, expand(expression))
    if (values.size === 0 || !line.includes('$')) return false
    for (const command of line.split(/&&|\|\|?|;|\$\(|`|\bthen\b|\bdo\b/)) {
      const commandName = /^\s{0,8}(["']?[\w${}"'/]{0,100}\$[\w${}"'/]{1,100})(?=\s|$)/.exec(command)?.[1]
      if (commandName === undefined) continue
      const { text, pieces } = expand(commandName)
      if (pieces > 1 && PROGRAM_NAME.test(text)) return true
    }
    return false
  }
}
