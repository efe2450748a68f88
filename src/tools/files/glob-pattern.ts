// Translates a glob to a regular expression. Knows the glob language and no files.

import { RE2JS } from 're2js'

/**
 * Matches a whole relative path. A glob without a slash matches the name alone, in any folder; with `anchored` it does
 * not.
 */
export function globSource(glob: string, anchored = false): string {
  const written = glob.normalize('NFC')
  const front = anchored || written.includes('/') ? '' : '(?:.*/)?'
  return front + translated(written.replace(/^(?:\.\/)+/, ''))
}

function translated(glob: string): string {
  const braces = bracesOf(glob)
  let out = ''
  for (let at = 0; at < glob.length;) {
    const char = glob.charAt(at)
    const stars = /^\*+/.exec(glob.slice(at))?.[0].length ?? 0
    const set = char === '[' ? setAt(glob, at) : null
    let taken = 1
    if (stars > 0) {
      const whole =
        stars > 1 && /^[/{,]?$/.test(glob.charAt(at - 1)) && /^[/},]?$/.test(glob.charAt(at + stars))
      const folders = whole && glob.charAt(at + stars) === '/'
      out += folders ? '(?:[^/]+/)*' : whole ? '.*' : '[^/]*'
      taken = folders ? stars + 1 : stars
    } else if (char === '?') out += '[^/]'
    else if (set) {
      out += set.source
      taken = set.length
    } else if (braces.has(at)) out += char === '{' ? '(?:' : char === '}' ? ')' : '|'
    else if (char === '\\' && at + 1 < glob.length) {
      out += RE2JS.quote(glob.charAt(at + 1))
      taken = 2
    } else out += RE2JS.quote(char)
    at += taken
  }
  return out
}

/** `[abc]`, `[!a-z]`. Null: the bracket is not closed before a slash, and is a literal. */
function setAt(glob: string, at: number): { readonly source: string; readonly length: number } | null {
  const [all, not = '', inside] = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(glob.slice(at, at + 200)) ?? []
  if (all === undefined || inside === undefined || inside === '') return null
  const chars = inside.replace(/[\\[\]^&~]/g, '\\$&')
  return { source: not === '' ? `[${chars}]` : `[^/${chars}]`, length: all.length }
}

/**
 * Indexes of the braces and commas that separate alternatives: only pairs, and none that are escaped or inside of
 * brackets.
 */
function bracesOf(glob: string): ReadonlySet<number> {
  const open: number[][] = []
  const found = new Set<number>()
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at)
    if (char === '\\') at++
    else if (char === '[') at += (setAt(glob, at)?.length ?? 1) - 1
    else if (char === '{') open.push([at])
    else if (char === ',') open.at(-1)?.push(at)
    else if (char === '}') {
      const pair = open.pop()
      if (pair) for (const index of [...pair, at]) found.add(index)
    }
  }
  return found
}
