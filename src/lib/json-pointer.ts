// Looks up and removes values by JSON Pointer (RFC 6901).

/** The value that the pointer references, or undefined if there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  return valueAtTokens(document, parsePointer(pointer))
}

/** Like valueAt, for a pointer that has already been parsed into reference tokens. */
export function valueAtTokens(document: unknown, tokens: readonly string[]): unknown {
  let value = document
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null || !isOwnEnumerable(value, token)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[token] // an own property of an object or an array
  }
  return value
}

/**
 * A copy of the document without the values that these pointers reference. Array items become null instead of
 * being removed, so that the other items keep their indexes.
 */
export function withoutValuesAt(document: unknown, pointers: readonly string[]): unknown {
  return pointers.reduce((pruned, pointer) => withoutValueAt(pruned, parsePointer(pointer)), document)
}

function withoutValueAt(value: unknown, [token, ...nextTokens]: readonly string[]): unknown {
  if (token === undefined) return null
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return value
  const prune = (child: unknown): unknown => withoutValueAt(child, nextTokens)
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === token ? prune(item) : item))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      if (key !== token) return [[key, child]]
      return nextTokens.length === 0 ? [] : [[key, prune(child)]]
    }),
  )
}

/** Escapes a property name for use as a reference token. */
export function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Whether the property is own and enumerable, which the `length` of an array is not. */
function isOwnEnumerable(value: object, name: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, name)
}
