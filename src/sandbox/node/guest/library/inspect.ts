// util.inspect and util.format, from Node's own library.

import { library } from './library.ts'

type Inspect = ((value: unknown, options?: object) => string) & {
  readonly custom: symbol
  readonly defaultOptions: object
}

interface InspectModule {
  readonly inspect: Inspect
  format(...args: readonly unknown[]): string
  formatWithOptions(options: object, ...args: readonly unknown[]): string
  stripVTControlCharacters(text: string): string
  getStringWidth(text: string): number
}

// The cast is safe: this is Node's module.
export const { inspect, format, formatWithOptions, stripVTControlCharacters, getStringWidth } = library(
  'internal/util/inspect',
) as InspectModule
