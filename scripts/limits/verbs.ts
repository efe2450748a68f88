// Shows the limits of a workspace in the notation of the command line, and changes them.

import { isObject } from '../../src/lib/json-object.ts'
import type { StoredLimits } from '../../src/workspace/cap-api.ts'
import { readAmounts, writeAmounts } from '../lib/amounts.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { responseBody, type ToolPorts } from '../tools/ports.ts'

interface LimitFlags {
  readonly json: boolean
}

/** Returns the exit status. */
export async function showLimits(flags: LimitFlags, ports: ToolPorts): Promise<number> {
  return show(await responseBody<StoredLimits>(ports, 'GET', '/admin/limits'), flags, ports)
}

/** Returns the exit status, or a message if the arguments are wrong. */
export async function setLimits(
  texts: readonly string[],
  flags: LimitFlags,
  ports: ToolPorts,
): Promise<number | string> {
  const change = readAmounts(texts)
  if (!change.ok) return change.error
  const current = await responseBody<StoredLimits>(ports, 'GET', '/admin/limits')
  if (current === null) return 1
  const patch = Object.entries(change.value).map(([section, names]: [string, unknown]) => [
    section,
    wholeNames(names, new Map(Object.entries(current.limits)).get(section)),
  ])
  const body = Object.fromEntries(patch)
  return show(await responseBody<StoredLimits>(ports, 'PATCH', '/admin/limits', body), flags, ports)
}

/**
 * The server replaces the complete value of a name, so values that the change omits are taken from the current one.
 */
function wholeNames(names: unknown, current: unknown): unknown {
  if (!isObject(names)) return names
  const known = isObject(current) ? current : {}
  return Object.fromEntries(Object.entries(names).map(([name, value]) => [name, merged(value, known[name])]))
}

/** The current value with the change applied; null if nothing remains. */
function merged(change: unknown, current: unknown): unknown {
  if (!isObject(change)) return change
  const known = isObject(current) ? current : {}
  const entries = Object.entries(change).map(([name, value]) => [name, merged(value, known[name])] as const)
  const left = Object.entries({ ...known, ...Object.fromEntries(entries) }).filter(
    ([, value]) => value !== null,
  )
  return left.length > 0 ? Object.fromEntries(left) : null
}

function show(stored: StoredLimits | null, { json }: LimitFlags, { say }: ToolPorts): number {
  if (stored === null) return 1
  const lines = writeAmounts(stored.limits)
  if (json) say(JSON.stringify(stored, null, 2))
  else if (lines.length === 0)
    say('There are no limits. To set one, run npm run limits -- workspace.day.usd=50')
  else for (const line of lines) say(harmlessLine(line))
  return 0
}
