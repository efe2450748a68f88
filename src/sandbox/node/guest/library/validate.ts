// Validates arguments, and throws Node's errors.

import { inspect } from './inspect.ts'

import { coded } from '../base/errors.ts'

/** How Node describes a refused value: `type number (5)`. */
export function received(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'function') return `function ${value.name}`
  if (typeof value === 'object') {
    const { name } = (value.constructor ?? {}) as { name?: string }
    return name ? `an instance of ${name}` : inspect(value, { depth: -1 })
  }
  const shown = inspect(value, { colors: false })
  return `type ${typeof value} (${shown.length > 28 ? `${shown.slice(0, 25)}...` : shown})`
}

export function invalidType(name: string, expected: string, value: unknown): TypeError {
  const kind = name.includes('.') ? 'property' : 'argument'
  return coded(
    new TypeError(`The "${name}" ${kind} must be ${expected}. Received ${received(value)}`),
    'ERR_INVALID_ARG_TYPE',
  )
}

export function outOfRange(name: string, range: string, value: unknown): RangeError {
  const shown =
    typeof value === 'number' && Math.abs(value) > 2 ** 32 && Number.isInteger(value)
      ? String(value).replace(/\B(?=(?:\d{3})+$)/g, '_')
      : inspect(value)
  return coded(
    new RangeError(`The value of "${name}" is out of range. It must be ${range}. Received ${shown}`),
    'ERR_OUT_OF_RANGE',
  )
}

export function requireString(value: unknown, name: string): asserts value is string {
  if (typeof value !== 'string') throw invalidType(name, 'of type string', value)
}

export function requireFunction(value: unknown, name: string): void {
  if (typeof value !== 'function') throw invalidType(name, 'of type function', value)
}

const INT32_MAX = 2_147_483_647

export function requireInteger(
  value: unknown,
  name: string,
  min = 0,
  max = INT32_MAX,
): asserts value is number {
  if (typeof value !== 'number') throw invalidType(name, 'of type number', value)
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value)
  if (value < min || value > max) throw outOfRange(name, `>= ${min} && <= ${max}`, value)
}
