// The size of a value in bytes, as JSON in UTF-8.

import { utf8 } from './bytes.ts'

export function jsonBytes(value: object | string): number {
  return utf8(JSON.stringify(value)).length
}
