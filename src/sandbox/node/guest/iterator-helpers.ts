// Iterator helpers (ES2025). QuickJS's own helpers that return iterators fail when such an iterator is closed early.

type Call = (value: unknown, index: number) => unknown

const prototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()) as object) as Record<
  string | symbol,
  unknown
>

function checkedCall(call: unknown): Call {
  if (typeof call !== 'function') throw new TypeError(`${String(call)} is not a function`)
  // The cast is safe: `call` is a function.
  return call as Call
}

function checkedCount(count: unknown): number {
  const number = Number(count)
  if (Number.isNaN(number) || Math.trunc(number) < 0)
    throw new RangeError(`${String(count)} must be positive`)
  return Math.trunc(number)
}

const helperPrototype = Object.create(prototype, {
  [Symbol.toStringTag]: { value: 'Iterator Helper', configurable: true },
}) as object

/** Wraps a generator as an iterator helper. `from` is closed with it. */
function helper(from: Iterator<unknown>, make: (next: () => IteratorResult<unknown>) => Generator): object {
  const { next } = from
  const generator = make(() => next.call(from) as IteratorResult<unknown>)
  let isStarted = false
  return Object.create(helperPrototype, {
    next: {
      value: () => {
        isStarted = true
        return generator.next()
      },
    },
    return: {
      value: () => {
        if (isStarted) return generator.return(undefined)
        from.return?.()
        return generator.return(undefined)
      },
    },
  }) as object
}

type Step = (next: () => IteratorResult<unknown>) => Generator

/** Runs `steps` and closes the iterator if its consumer stops early or a callback throws. */
function stepping(self: Iterator<unknown>, steps: Step): object {
  return helper(self, function* (next) {
    let isDone = false
    const watched = (): IteratorResult<unknown> => {
      try {
        const result = next()
        if (result.done) isDone = true
        return result
      } catch (error) {
        isDone = true
        throw error
      }
    }
    try {
      yield* steps(watched)
    } finally {
      if (!isDone) self.return?.()
    }
  })
}

type Self = Iterator<unknown>
const methods: Readonly<
  Record<string, (this: Self, first?: unknown, ...rest: readonly unknown[]) => unknown>
> = {
  map(given) {
    const call = checkedCall(given)
    return stepping(this, function* (next) {
      for (let index = 0, one = next(); !one.done; one = next()) yield call(one.value, index++)
    })
  },
  filter(given) {
    const call = checkedCall(given)
    return stepping(this, function* (next) {
      for (let index = 0, one = next(); !one.done; one = next()) if (call(one.value, index++)) yield one.value
    })
  },
  take(given) {
    const count = checkedCount(given)
    return stepping(this, function* (next) {
      for (let left = count; left > 0; left -= 1) {
        const one = next()
        if (one.done) return
        yield one.value
      }
    })
  },
  drop(given) {
    const count = checkedCount(given)
    return stepping(this, function* (next) {
      for (let left = count; left > 0; left -= 1) if (next().done) return
      for (let one = next(); !one.done; one = next()) yield one.value
    })
  },
  flatMap(given) {
    const call = checkedCall(given)
    return stepping(this, function* (next) {
      for (let index = 0, one = next(); !one.done; one = next()) {
        const inner = call(one.value, index++)
        if (typeof inner === 'string') throw new TypeError(`${inner} is not an object`)
        // The cast is safe: iterating anything else throws, as it should.
        yield* inner as Iterable<unknown>
      }
    })
  },
}

/** Replaces the engine's helpers. */
export function installIteratorHelpers(): void {
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false })
}
