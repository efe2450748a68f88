// How local paths are written for people and for tools.

import { isAbsolute, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Relative to `cwd` if it is below it, else unchanged. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  if (short === '') return '.'
  return short.startsWith('..') || isAbsolute(short) ? path : short
}

/** A URI reference: relative to `cwd`, with `/`, if it is below it, else a file URL. */
export function uriOf(path: string, cwd: string): string {
  const short = shownPath(path, cwd)
  if (isAbsolute(short)) return pathToFileURL(short).href
  return short.split(sep).map(encodeURIComponent).join('/')
}
