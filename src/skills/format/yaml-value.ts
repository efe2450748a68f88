// The types of frontmatter values: strings, lists and maps. Separate from the parser, so that code that only reads
// values does not load it.

export type YamlValue = string | readonly YamlValue[] | ReadonlyMap<string, YamlValue>

export interface YamlField {
  readonly key: string
  readonly value: YamlValue
  /** 1-based in the file. */
  readonly line: number
  /** True if the plain value ends at ` #`, where YAML begins a comment, which authors often did not intend. */
  readonly endsAtComment: boolean
}

/** The value as plain JSON. `__proto__` is an ordinary key. */
export function toJson(value: YamlValue): unknown {
  if (typeof value === 'string') return value
  if (isList(value)) return value.map(toJson)
  return Object.fromEntries([...value].map(([key, item]) => [key, toJson(item)]))
}

export function isList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value)
}

/** A string, or a list or map of strings, as one string; null for deeper structures. */
export function yamlText(value: YamlValue): string | null {
  if (typeof value === 'string') return value
  if (isList(value)) return value.every((item) => typeof item === 'string') ? value.join(', ') : null
  const texts: string[] = []
  for (const [key, item] of value) {
    if (typeof item !== 'string') return null
    texts.push(`${key}: ${item}`)
  }
  return texts.join(', ')
}
