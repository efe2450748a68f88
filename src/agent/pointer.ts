// JSON pointers (RFC 6901) into the inputs and results of tools.

/** The value at the pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return valueIn(value, partsOf(pointer))
}

/** Like valueAt, for a path that is already parsed. */
export function valueIn(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !isField(at, part)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[part] // an own field of an object or a list
  }
  return at
}

/**
 * A copy without the values at these pointers. Removed items of a list become null, so that the others keep their
 * indexes.
 */
export function withoutAt(value: unknown, pointers: readonly string[]): unknown {
  return pointers.reduce((left, pointer) => without(left, partsOf(pointer)), value)
}

function without(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return null
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return value
  const kept = (inner: unknown): unknown => without(inner, rest)
  if (Array.isArray(value)) return value.map((inner, n) => (String(n) === first ? kept(inner) : inner))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key !== first) return [[key, inner]]
      return rest.length === 0 ? [] : [[key, kept(inner)]]
    }),
  )
}

/** Escapes the name of a field as a part of a pointer. */
export function partOf(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function partsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** An own, enumerable field, so not the `length` of a list. */
function isField(value: object, name: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, name)
}
