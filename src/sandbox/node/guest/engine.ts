// Makes results and messages of the engine match V8's: dates as text, and errors for JSON of circular structures.

type AnyFunction = (this: unknown, ...args: readonly unknown[]) => unknown

/** Replaces a method. `make` receives the original. */
function replaced(owner: object, name: string, make: (own: AnyFunction) => AnyFunction): void {
  // The cast is safe: the property is a method.
  const own = Reflect.get(owner, name) as AnyFunction
  const value = make(own)
  Object.defineProperty(value, 'name', { value: name })
  Object.defineProperty(value, 'length', { value: own.length })
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false })
}

const ZONE = ' (Coordinated Universal Time)'

function installDates(): void {
  for (const name of ['toString', 'toTimeString'])
    replaced(Date.prototype, name, (own) => {
      return function () {
        const text = String(own.call(this))
        return text.endsWith('+0000') ? text + ZONE : text
      }
    })
  replaced(Date.prototype, 'toISOString', (own) => {
    return function () {
      if (this instanceof Date && Number.isNaN(this.getTime())) throw new RangeError('Invalid time value')
      return own.call(this)
    }
  })
}

const nameOf = (value: object): string => {
  const { name } = (value.constructor ?? {}) as { name?: unknown }
  return typeof name === 'string' && name !== ''
    ? `object with constructor '${name}'`
    : "object with constructor 'Object'"
}

/** Finds a cycle: the keys from an object to itself, and the object; null if there is none. */
function circleOf(value: object): { start: object; steps: { key: string; object: object }[] } | null {
  const path: { key: string; object: object }[] = [{ key: '', object: value }]
  const visit = (one: object): { start: object; steps: { key: string; object: object }[] } | null => {
    for (const [key, inner] of Object.entries(one)) {
      if (typeof inner !== 'object' || inner === null) continue
      // The cast is safe: `inner` is an object, as just checked.
      const object = inner as object
      const at = path.findIndex((step) => step.object === object)
      const shown = Array.isArray(one) ? `index ${key}` : `property '${key}'`
      if (at >= 0) return { start: object, steps: [...path.slice(at + 1), { key: shown, object }] }
      path.push({ key: shown, object })
      const found = visit(object)
      if (found) return found
      path.pop()
    }
    return null
  }
  return visit(value)
}

/** V8's message for a circular structure. */
function circularMessage(value: unknown): string {
  const found = typeof value === 'object' && value !== null ? circleOf(value) : null
  if (!found) return 'Converting circular structure to JSON'
  const { start, steps } = found
  const lines = [`starting at ${nameOf(start)}`]
  const [first, ...rest] = steps
  const last = rest.pop()
  if (first && last) {
    lines.push(`    |     ${first.key} -> ${nameOf(first.object)}`)
    const middle = rest.length > 1 ? ['...', rest.at(-1)] : rest
    for (const step of middle)
      if (typeof step === 'string') lines.push(`    |     ${step}`)
      else if (step) lines.push(`    |     ${step.key} -> ${nameOf(step.object)}`)
  }
  const closing = last ?? first
  return `Converting circular structure to JSON\n    --> ${lines.join('\n')}\n    --- ${closing?.key ?? ''} closes the circle`
}

function installJson(): void {
  replaced(JSON, 'stringify', (own) => {
    return function (value, replacer, space) {
      try {
        return own.call(JSON, value, replacer, space)
      } catch (error) {
        if (error instanceof TypeError && error.message === 'circular reference')
          throw new TypeError(circularMessage(value))
        throw error
      }
    }
  })
}

export function installEngine(): void {
  installDates()
  installJson()
}
