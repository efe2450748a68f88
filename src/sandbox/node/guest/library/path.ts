// node:path, from Node's own library.

import { library } from './library.ts'

interface Path {
  resolve(...parts: readonly string[]): string
  join(...parts: readonly string[]): string
  dirname(path: string): string
  basename(path: string, suffix?: string): string
  extname(path: string): string
}

// The cast is safe: this is Node's module.
export const path = library('path') as Path
