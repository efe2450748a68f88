// `allowed-tools` in every form found in the wild: one string (spaces or commas) or a list. Grants nothing.

import type { YamlValue } from './yaml-strings.ts'
import { isList } from './yaml-strings.ts'

/** The names in order, each once; null when the value is neither text nor a list of texts. */
export function toolNames(value: YamlValue): string[] | null {
  if (typeof value === 'string') return unique(splitNames(value))
  if (!isList(value)) return null
  const items = value.filter((item) => typeof item === 'string')
  // A list's items are whole names: some hold spaces (`Azure MCP/documentation`).
  return items.length === value.length ? unique(items.map((item) => item.trim())) : null
}

/** Splits at commas and whitespace outside parentheses: `Bash(git log *), Read` is two names. */
function splitNames(text: string): string[] {
  const names: string[] = []
  let depth = 0
  let name = ''
  for (const char of text) {
    if (char === '(') depth++
    if (char === ')') depth = Math.max(0, depth - 1)
    if (depth === 0 && /[\s,]/.test(char)) {
      names.push(name)
      name = ''
    } else name += char
  }
  return [...names, name]
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names.filter((name) => name !== ''))]
}
