// The size of a value as UTF-8 JSON, in bytes.

import { utf8 } from './bytes.ts'

export function jsonBytes(value: object | string): number {
  return utf8(JSON.stringify(value)).length
}
