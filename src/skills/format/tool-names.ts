// Parses the tool names in frontmatter, in every common notation, and maps them to Satchel's tools. Grants nothing.

import type { YamlValue } from './yaml-value.ts'
import { isList } from './yaml-value.ts'

/** The names of Satchel's tools, which src/tools/ defines. */
export interface KnownTools {
  /** Maps a lower-case name, Satchel's or another host's, to Satchel's name of the tool. */
  readonly satchelNames: ReadonlyMap<string, string>
  /** Tools that no skill can disallow. */
  readonly always: ReadonlySet<string>
}

/**
 * Maps the names in `allowed-tools` or `disallowed-tools` to Satchel's names, each once, in order, ignoring letter
 * case. `Bash(git:*)` means any use of bash: text in parentheses is ignored. `unknown` names are as written.
 */
export function mappedTools(
  names: readonly string[],
  { satchelNames }: Pick<KnownTools, 'satchelNames'>,
): {
  readonly known: readonly string[]
  readonly unknown: readonly string[]
} {
  const known = new Set<string>()
  const unknown = new Set<string>()
  for (const name of names) {
    const satchelName = satchelNames.get((name.split('(')[0] ?? '').trim().toLowerCase())
    if (satchelName === undefined) unknown.add(name)
    else known.add(satchelName)
  }
  return { known: [...known], unknown: [...unknown] }
}

/** The names in order, each once; null if the value is neither a string nor a list of strings. */
export function toolNames(value: YamlValue): string[] | null {
  if (typeof value === 'string') return unique(splitNames(value))
  if (!isList(value)) return null
  const items = value.filter((item) => typeof item === 'string')
  // Items of a list are not split, because some names contain spaces (`Azure MCP/documentation`).
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
