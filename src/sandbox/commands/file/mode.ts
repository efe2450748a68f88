// Parses changes of permissions: `644`, `u+x,go-w`.

import { Unsupported } from '../command.ts'

/**
 * Returns null if `text` is not a mode. A change that names no class of users leaves the bits of `umask` unchanged.
 * The returned function takes the current mode, and whether it is that of a folder.
 */
export function modeChange(
  text: string,
  umask: number,
): ((mode: number, isFolder: boolean) => number) | null {
  if (/^[0-7]{1,4}$/.test(text)) {
    const bits = Number.parseInt(text, 8)
    if (bits > 0o777)
      throw new Unsupported(`the mode ${text}`, `${(bits & 0o777).toString(8)}; there is one user`)
    return () => bits
  }
  if (/^[augo]*[-+=][rwxX]*[st]/.test(text))
    throw new Unsupported(`the mode ${text}`, 'one with r, w and x; there is one user')
  const clauses = text.split(',').map((clause) => clauseOf(clause, umask))
  if (clauses.some((clause) => clause === null)) return null
  return (mode, isFolder) => clauses.reduce((changed, clause) => clause?.(changed, isFolder) ?? changed, mode)
}

const WHO: Readonly<Record<string, number>> = { u: 0o700, g: 0o070, o: 0o007, a: 0o777 }
const WHAT: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111 }

function clauseOf(text: string, umask: number): ((mode: number, isFolder: boolean) => number) | null {
  const [, who = '', actions = ''] = /^([ugoa]*)((?:[+=-](?:[rwxX]*|[ugo]))+)$/.exec(text) ?? []
  if (actions === '') return null
  const mask = Array.from(who === '' ? 'a' : who).reduce((sum, one) => sum | (WHO[one] ?? 0), 0)
  const allowed = who === '' ? mask & ~umask : mask
  return (given, isFolder) => {
    let mode = given
    for (const [, sign = '', what = ''] of actions.matchAll(/([+=-])([rwxXugo]*)/g)) {
      const bits = bitsOf(what, mode, isFolder) & allowed
      mode = sign === '+' ? mode | bits : sign === '-' ? mode & ~bits : (mode & ~mask) | bits
    }
    return mode
  }
}

function bitsOf(what: string, mode: number, isFolder: boolean): number {
  const copied = what === 'u' ? mode >> 6 : what === 'g' ? mode >> 3 : what === 'o' ? mode : null
  if (copied !== null) return (copied & 7) * 0o111
  return Array.from(what).reduce(
    (sum, one) => sum | (one === 'X' ? (isFolder || (mode & 0o111) !== 0 ? 0o111 : 0) : (WHAT[one] ?? 0)),
    0,
  )
}
