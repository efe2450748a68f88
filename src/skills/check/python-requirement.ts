// Reads requirements of Python packages (PEP 508): `name[extra]>=1.2; python_version < "3.11"`.

import { err, ok, type Result } from '../../lib/result.ts'

export interface PythonRequirement {
  /** Normalized as PEP 503 says: `python-dateutil`. */
  readonly name: string
  readonly extras: readonly string[]
  /** The version specifier, such as `>=1.2,<2`; empty for any version. */
  readonly range: string
  /** The condition; null if there is none. */
  readonly marker: string | null
}

const SPECIFIER = /^(?:(?:===?|~=|!=|<=?|>=?)\s*[\w.*+!-]+)$/

function normalPythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}

/** A requirement, or why it cannot be used. */
export function parseRequirement(text: string): Result<PythonRequirement, string> {
  const [, name, extras = '', rest = ''] =
    /^\s*([A-Za-z0-9](?:[\w.-]{0,98}[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?\s*([^;]*)/.exec(text) ?? []
  if (name === undefined) return err(`${JSON.stringify(text.slice(0, 80))} is not a requirement`)
  if (rest.startsWith('@')) return err(`${name} names an address; only packages of the index can be added`)
  const range = rest.trim().replace(/^\((.*)\)$/, '$1')
  const parts = range.split(',').map((part) => part.trim())
  if (range !== '' && !parts.every((part) => SPECIFIER.test(part)))
    return err(`${JSON.stringify(range.slice(0, 80))} of ${name} is not a version specifier`)
  const semicolon = text.indexOf(';')
  return ok({
    name: normalPythonName(name),
    extras: extras
      .split(',')
      .map((extra) => normalPythonName(extra.trim()))
      .filter((extra) => extra !== ''),
    range: range === '' ? '' : parts.map((part) => part.replace(/\s+/g, '')).join(','),
    marker: semicolon === -1 ? null : text.slice(semicolon + 1).trim() || null,
  })
}
