// Formats local paths for people and for tools.

import { isAbsolute, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The path relative to `cwd` if it is below it, otherwise unchanged. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  if (short === '') return '.'
  return short.startsWith('..') || isAbsolute(short) ? path : short
}

/** The path as a URI reference relative to `cwd` if it is below it, otherwise as a file URL. */
export function uriOf(path: string, cwd: string): string {
  const short = shownPath(path, cwd)
  if (isAbsolute(short)) return pathToFileURL(short).href
  return short.split(sep).map(encodeURIComponent).join('/')
}
