// The query of a request.

/** Leaves out values that are undefined. */
export function queryOf(values: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return new URLSearchParams(pairs).toString()
}
