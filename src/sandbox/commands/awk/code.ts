// Compiled expressions: functions that return a value, or a promise if they had to wait.

export interface Code<T> {
  readonly run: () => T | Promise<T>
  /** Whether it may return a promise, because it reads input, starts a command or calls a function. */
  readonly waits: boolean
}

export function constant<T>(value: T): Code<T> {
  return { run: () => value, waits: false }
}

export function direct<T>(run: () => T): Code<T> {
  return { run, waits: false }
}

export function waiting<T>(run: () => T | Promise<T>): Code<T> {
  return { run, waits: true }
}

export function after<A, T>(value: A | Promise<A>, use: (value: A) => T | Promise<T>): T | Promise<T> {
  return value instanceof Promise ? value.then(use) : use(value)
}

export function map1<A, T>(one: Code<A>, use: (one: A) => T): Code<T> {
  const { run } = one
  if (one.waits) return waiting(() => after(run(), use))
  const now = run as () => A // Safe: `waits` is false.
  return direct(() => use(now()))
}

export function map2<A, B, T>(one: Code<A>, other: Code<B>, use: (one: A, other: B) => T): Code<T> {
  if (one.waits || other.waits)
    return waiting(() => after(one.run(), (left) => after(other.run(), (right) => use(left, right))))
  const left = one.run as () => A // Safe: `waits` is false for both.
  const right = other.run as () => B
  return direct(() => use(left(), right()))
}

export function all<A>(codes: readonly Code<A>[]): Code<A[]> {
  if (!codes.some(({ waits }) => waits)) {
    const runs = codes.map(({ run }) => run as () => A) // Safe: `waits` is false for all.
    return direct(() => runs.map((run) => run()))
  }
  return waiting(async () => {
    const values: A[] = []
    for (const { run } of codes) values.push(await run())
    return values
  })
}

/** Like `map1`, for a `use` that may wait. */
export function then1<A, T>(one: Code<A>, use: (one: A) => T | Promise<T>): Code<T> {
  return waiting(() => after(one.run(), use))
}
