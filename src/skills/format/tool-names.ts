// Parses tool names in frontmatter, in every notation, and maps them to our tools. Grants nothing.

import type { YamlValue } from './yaml-strings.ts'
import { isList } from './yaml-strings.ts'

/** The names of our tools, which the tools define (src/tools/). */
export interface KnownTools {
  /** Lower-case name, ours or another host's → our name. */
  readonly meaning: ReadonlyMap<string, string>
  /** No skill can disallow these. */
  readonly always: ReadonlySet<string>
}

/**
 * Our names for those in `allowed-tools` or `disallowed-tools`, each once, in order, ignoring letter case.
 * `Bash(git:*)` means bash as a whole: the parentheses are ignored. `unknown`: as written.
 */
export function mappedTools(
  names: readonly string[],
  { meaning }: Pick<KnownTools, 'meaning'>,
): {
  readonly known: readonly string[]
  readonly unknown: readonly string[]
} {
  const known = new Set<string>()
  const unknown = new Set<string>()
  for (const name of names) {
    const ours = meaning.get((name.split('(')[0] ?? '').trim().toLowerCase())
    if (ours === undefined) unknown.add(name)
    else known.add(ours)
  }
  return { known: [...known], unknown: [...unknown] }
}

/** The names in order, each once; null when the value is neither text nor a list of texts. */
export function toolNames(value: YamlValue): string[] | null {
  if (typeof value === 'string') return unique(splitNames(value))
  if (!isList(value)) return null
  const items = value.filter((item) => typeof item === 'string')
  // Items of a list are whole names: some contain spaces (`Azure MCP/documentation`).
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
