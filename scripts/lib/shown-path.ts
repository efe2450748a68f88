// How a place on this machine is written for readers and for tools.

import { isAbsolute, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Relative to `cwd` where it lies below it, else as it is. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  if (short === '') return '.'
  return short.startsWith('..') || isAbsolute(short) ? path : short
}

/** A URI reference: relative to `cwd`, with `/`, where it lies below it, else a file URL. */
export function uriOf(path: string, cwd: string): string {
  const short = shownPath(path, cwd)
  if (isAbsolute(short)) return pathToFileURL(short).href
  return short.split(sep).map(encodeURIComponent).join('/')
}
