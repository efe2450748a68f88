// Reads values whose shape nobody promised: inputs of tools, blocks of messages.

/** What is under a name; null: there is nothing. */
export function valueUnder(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : null
}

/** The text under a name; null: there is none. */
export function field(value: unknown, name: string): string | null {
  const found = valueUnder(value, name)
  return typeof found === 'string' ? found : null
}

/** The number under a name; null: there is none. */
export function numberIn(value: unknown, name: string): number | null {
  const found = valueUnder(value, name)
  return typeof found === 'number' ? found : null
}

/** What a text of JSON says; null where it is none. */
export function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** The texts in a list under a name. */
function texts(value: unknown, name: string): readonly string[] {
  const found = valueUnder(value, name)
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
}

/** A block that is no text, an image in the words of its event. */
export function imageText(block: unknown): string {
  const source = valueUnder(block, 'source')
  const kind = field(source, 'media_type')
  const data = field(source, 'data')
  return kind === null || data === null
    ? `[${field(block, 'type') ?? 'unknown'}]`
    : `[${kind}, ${Math.floor((data.length * 3) / 4)} bytes]`
}

/** The paths that a call names: one in `path`, several in `paths`. */
export function pathsOf(input: unknown): readonly string[] {
  const path = field(input, 'path')
  return path === null ? texts(input, 'paths') : [path, ...texts(input, 'paths')]
}
