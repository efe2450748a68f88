// Reads fields of values of unknown shape, such as tool inputs and message blocks.

/** The value of a field, or null. */
export function valueIn(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : null
}

/** The value of a field if it is a string, otherwise null. */
export function stringIn(value: unknown, name: string): string | null {
  const result = valueIn(value, name)
  return typeof result === 'string' ? result : null
}

/** The value of a field if it is a number, otherwise null. */
export function numberIn(value: unknown, name: string): number | null {
  const result = valueIn(value, name)
  return typeof result === 'number' ? result : null
}

/** The parsed JSON value, or null if the text is not JSON. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** The strings in an array field; empty if the field is not an array. */
function stringsIn(value: unknown, name: string): readonly string[] {
  const result = valueIn(value, name)
  return Array.isArray(result) ? result.filter((item) => typeof item === 'string') : []
}

/** Describes a block that is not text, in the same words as the server's events. */
export function describeBlock(block: unknown): string {
  const source = valueIn(block, 'source')
  const kind = stringIn(source, 'media_type')
  const data = stringIn(source, 'data')
  return kind === null || data === null
    ? `[${stringIn(block, 'type') ?? 'unknown'}]`
    : `[${kind}, ${Math.floor((data.length * 3) / 4)} bytes]`
}

/** All paths in a call's input, from its fields `path` and `paths`. */
export function pathsOf(input: unknown): readonly string[] {
  const path = stringIn(input, 'path')
  return path === null ? stringsIn(input, 'paths') : [path, ...stringsIn(input, 'paths')]
}

/** Name and input of the tool that a call reaches: for call_tool, the tool that it names, as in events. */
export function calledTool(call: object): readonly [name: string, input: unknown] {
  const name = stringIn(call, 'name') ?? ''
  const input = valueIn(call, 'input')
  const target = name === 'call_tool' ? stringIn(input, 'name') : null
  return target === null ? [name, input] : [target, valueIn(input, 'input')]
}
