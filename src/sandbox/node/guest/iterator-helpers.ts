// Iterator helpers (ES2025), which QuickJS lacks: `map`, `filter` and others, and `Iterator.from`.

type Call = (value: unknown, index: number) => unknown

const prototype = Object.getPrototypeOf(
  Object.getPrototypeOf([][Symbol.iterator]()) as object,
) as Record<string | symbol, unknown>

function checkedCall(call: unknown): Call {
  if (typeof call !== 'function') throw new TypeError(`${String(call)} is not a function`)
  // The cast is safe: it is a function.
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

/** The iterator that a generator gives, as a helper. `from` is closed with it. */
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

/** Calls `use` with each value until it returns true. */
function each(self: Iterator<unknown>, use: (value: unknown, index: number) => boolean): void {
  const { next } = self
  for (let index = 0; ; index += 1) {
    const result = next.call(self) as IteratorResult<unknown>
    if (result.done) return
    let stops: boolean
    try {
      stops = use(result.value, index)
    } catch (error) {
      self.return?.()
      throw error
    }
    if (!stops) continue
    self.return?.()
    return
  }
}

type Self = Iterator<unknown>
const methods: Readonly<Record<string, (this: Self, first?: unknown, ...rest: readonly unknown[]) => unknown>> = {
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
        // The cast is safe: anything else throws, as it should.
        yield* inner as Iterable<unknown>
      }
    })
  },
  reduce(given, ...rest) {
    const call = given as (sum: unknown, value: unknown, index: number) => unknown
    checkedCall(given)
    let sum: unknown = rest[0]
    let isEmpty = rest.length === 0
    each(this, (value, index) => {
      sum = isEmpty ? value : call(sum, value, index)
      isEmpty = false
      return false
    })
    if (isEmpty) throw new TypeError('Reduce of a done iterator with no initial value')
    return sum
  },
  toArray() {
    const all: unknown[] = []
    each(this, (value) => {
      all.push(value)
      return false
    })
    return all
  },
  forEach(given) {
    const call = checkedCall(given)
    each(this, (value, index) => {
      call(value, index)
      return false
    })
  },
  some(given) {
    const call = checkedCall(given)
    let found = false
    each(this, (value, index) => (found = Boolean(call(value, index))))
    return found
  },
  every(given) {
    const call = checkedCall(given)
    let isEvery = true
    each(this, (value, index) => !(isEvery = Boolean(call(value, index))))
    return isEvery
  },
  find(given) {
    const call = checkedCall(given)
    let found: unknown
    each(this, (value, index) => {
      if (!call(value, index)) return false
      found = value
      return true
    })
    return found
  },
}

/** Adds what the engine lacks. */
export function installIteratorHelpers(): void {
  for (const [name, value] of Object.entries(methods))
    if (!(name in prototype))
      Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false })
  const world = globalThis as unknown as Record<string, unknown>
  if (typeof world['Iterator'] === 'function' && 'from' in world['Iterator']) return
  const Iterator = function (this: unknown): void {
    if (!new.target || new.target === Iterator) throw new TypeError('Abstract class Iterator not directly constructable')
  }
  Iterator.prototype = prototype
  Object.assign(Iterator, {
    from: (value: unknown): unknown => {
      // The casts are safe: it is an iterable or an iterator, else calling `next` throws.
      const made =
        typeof value === 'string' || Symbol.iterator in (value as object)
          ? (value as Iterable<unknown>)[Symbol.iterator]()
          : (value as Iterator<unknown>)
      if (Object.prototype.isPrototypeOf.call(prototype, made)) return made
      return Object.create(prototype, {
        next: { value: () => made.next() },
        return: { value: () => made.return?.() ?? { value: undefined, done: true } },
      }) as unknown
    },
  })
  Object.defineProperty(globalThis, 'Iterator', { value: Iterator, writable: true, configurable: true })
}
