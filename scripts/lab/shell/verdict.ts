// Compares the results of a script in Satchel's shell and on this machine.

import type { HereOutcome } from './here.ts'
import type { ThereOutcome } from './there.ts'

/** `silent` means different, but without a failure. */
export type ShellVerdict = 'equal' | 'refused' | 'aloud' | 'silent'

/** `aloud` means different, with a failure that this machine does not have. */
export function verdictOf(here: HereOutcome, there: ThereOutcome): ShellVerdict {
  if (here.stopped === 'refused') return 'refused'
  const same = here.exitCode === there.exitCode && equal(here.stdout, there.stdout) && sameFiles(here, there)
  if (same) return 'equal'
  if (here.stopped !== null) return 'aloud'
  return here.exitCode !== 0 && there.exitCode === 0 ? 'aloud' : 'silent'
}

function sameFiles(here: HereOutcome, there: ThereOutcome): boolean {
  const names = new Set([...here.files.keys(), ...there.files.keys()])
  return [...names].every((name) => {
    const [one, other] = [here.files.get(name), there.files.get(name)]
    return one !== undefined && other !== undefined && equal(one, other)
  })
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

/** Describes the first lines that differ on both sides, and the files that differ. */
export function difference(here: HereOutcome, there: ThereOutcome): string {
  const [ours, theirs] = [here.stdout, there.stdout].map((bytes) => Buffer.from(bytes).toString().split('\n'))
  const at = (ours ?? []).findIndex((line, index) => line !== theirs?.[index])
  const from = at === -1 ? (ours?.length ?? 0) : at
  const changed = [...new Set([...here.files.keys(), ...there.files.keys()])].filter((name) => {
    const [one, other] = [here.files.get(name), there.files.get(name)]
    return !one || !other || !equal(one, other)
  })
  const shown = (lines: readonly string[] | undefined): string =>
    JSON.stringify((lines ?? []).slice(from, from + 2).join('\n')).slice(0, 160)
  return [
    `   here:  exit ${here.exitCode} line ${from + 1}: ${shown(ours)} ${here.stderr.trim().slice(0, 200)}`,
    `   there: exit ${there.exitCode} line ${from + 1}: ${shown(theirs)} ${there.stderr.trim().slice(0, 120)}`,
    ...(changed.length > 0 ? [`   files: ${changed.join(', ')}`] : []),
  ].join('\n')
}
