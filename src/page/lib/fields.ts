// Reads values of unknown shape: tool inputs, message blocks.

/** The value of a key, or null. */
export function valueUnder(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : null
}

/** The string value of a key, or null. */
export function field(value: unknown, name: string): string | null {
  const found = valueUnder(value, name)
  return typeof found === 'string' ? found : null
}

/** The numeric value of a key, or null. */
export function numberIn(value: unknown, name: string): number | null {
  const found = valueUnder(value, name)
  return typeof found === 'number' ? found : null
}

/** Parsed JSON, or null if the text is not JSON. */
export function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** The strings of a list. */
function texts(value: unknown, name: string): readonly string[] {
  const found = valueUnder(value, name)
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
}

/** A description of a non-text block, in the words of the event. */
export function imageText(block: unknown): string {
  const source = valueUnder(block, 'source')
  const kind = field(source, 'media_type')
  const data = field(source, 'data')
  return kind === null || data === null
    ? `[${field(block, 'type') ?? 'unknown'}]`
    : `[${kind}, ${Math.floor((data.length * 3) / 4)} bytes]`
}

/** The paths of a call's input: one in `path`, several in `paths`. */
export function pathsOf(input: unknown): readonly string[] {
  const path = field(input, 'path')
  return path === null ? texts(input, 'paths') : [path, ...texts(input, 'paths')]
}
