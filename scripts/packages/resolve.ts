// Chooses the newest version of each package that satisfies all requirements. One version per package is chosen. If
// none fits, the error names the requirements and the packages that have them.

import { ok } from '../../src/lib/result.ts'
import { PACKAGES_MAX, RESOLVE_ROUNDS_MAX } from './limits.ts'
import { problem, type PackageResult } from './problem.ts'

export interface Requirement {
  readonly name: string
  readonly range: string
  readonly extras: readonly string[]
  /** The package with the requirement, for messages: `openpyxl 3.1.5`, or `you`. */
  readonly requirer: string
}

export interface Candidate {
  readonly version: string
  readonly file: string
  readonly isYanked: boolean
}

/** The interface of an ecosystem for the resolver. */
export interface PackageSource<C extends Candidate> {
  /** The candidates that can run in the sandbox, newest first. Fails if there are none. */
  candidates(name: string): Promise<PackageResult<readonly C[]>>
  fits(version: string, range: string): boolean
  /** Whether a release is preferred to a pre-release. */
  isPrerelease(version: string): boolean
  /** The requirements of a candidate, with empty `requirer`. */
  requirements(
    candidate: C,
    name: string,
    extras: readonly string[],
  ): Promise<PackageResult<readonly Requirement[]>>
}

export interface Chosen<C extends Candidate> {
  readonly candidate: C
  /** The names of the packages that it requires. */
  readonly requires: readonly string[]
}

/**
 * The chosen candidate of each package. `locked` contains versions of an earlier choice, which are kept if they fit.
 */
export async function resolve<C extends Candidate>(
  source: PackageSource<C>,
  roots: readonly Requirement[],
  locked: ReadonlyMap<string, string>,
): Promise<PackageResult<ReadonlyMap<string, Chosen<C>>>> {
  let chosen: ReadonlyMap<string, C> = new Map()
  for (let round = 0; round < RESOLVE_ROUNDS_MAX; round++) {
    const requirements = await reachable(source, roots, chosen)
    if (!requirements.ok) return requirements
    const next = await choose(source, requirements.value, locked)
    if (!next.ok) return next
    const isStable =
      next.value.size === chosen.size &&
      [...next.value].every(([name, { version }]) => chosen.get(name)?.version === version)
    if (isStable) return ok(withRequires(next.value, requirements.value))
    chosen = next.value
    if (chosen.size > PACKAGES_MAX)
      return problem(
        'package_too_large',
        `More than ${PACKAGES_MAX} packages are required, the limit of a deployment.`,
      )
  }
  const names = [...chosen.keys()].toSorted().join(', ')
  return problem(
    'package_conflict',
    `No set of versions was found for ${names}. Ask for exact versions (==).`,
  )
}

function withRequires<C extends Candidate>(
  chosen: ReadonlyMap<string, C>,
  requirements: readonly Requirement[],
): ReadonlyMap<string, Chosen<C>> {
  return new Map(
    [...chosen].map(([name, candidate]) => {
      const own = requirements.filter(({ requirer }) => requirer === `${name} ${candidate.version}`)
      const requires = [...new Set(own.map((requirement) => requirement.name))].toSorted()
      return [name, { candidate, requires }]
    }),
  )
}

/** All requirements that follow from the roots with the versions chosen so far. */
async function reachable<C extends Candidate>(
  source: PackageSource<C>,
  roots: readonly Requirement[],
  chosen: ReadonlyMap<string, C>,
): Promise<PackageResult<readonly Requirement[]>> {
  const all = new Map<string, Requirement>()
  const pending = [...roots]
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const key = JSON.stringify(next)
    if (all.has(key)) continue
    all.set(key, next)
    const { name, extras } = next
    const candidate = chosen.get(name)
    if (!candidate) continue
    const required = await source.requirements(candidate, name, extras)
    if (!required.ok) return required
    const requirer = `${name} ${candidate.version}`
    pending.push(...required.value.map((requirement) => ({ ...requirement, requirer })))
  }
  return ok([...all.values()])
}

async function choose<C extends Candidate>(
  source: PackageSource<C>,
  requirements: readonly Requirement[],
  locked: ReadonlyMap<string, string>,
): Promise<PackageResult<ReadonlyMap<string, C>>> {
  const byName = Map.groupBy(requirements, ({ name }) => name)
  const chosen = new Map<string, C>()
  for (const [name, required] of [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const candidates = await source.candidates(name)
    if (!candidates.ok) return withRequirer(candidates, required)
    const fitting = candidates.value.filter(({ version }) =>
      required.every(({ range }) => range === '' || source.fits(version, range)),
    )
    const kept = fitting.find(({ version }) => version === locked.get(name))
    // A yanked version is kept if it is locked, but never newly chosen.
    const usable = fitting.filter(({ isYanked }) => !isYanked)
    const newest = kept ?? usable.find(({ version }) => !source.isPrerelease(version)) ?? usable[0]
    if (!newest) return noVersion(name, required, fitting, candidates.value)
    chosen.set(name, newest)
  }
  return ok(chosen)
}

function withRequirer(failed: PackageResult<never>, required: readonly Requirement[]): PackageResult<never> {
  const requirers = required.filter(({ requirer }) => requirer !== 'you').map(({ requirer }) => requirer)
  if (failed.ok || requirers.length === 0) return failed
  return problem(failed.error.code, `${failed.error.message} It is required by ${requirers.join(' and ')}.`)
}

function noVersion(
  name: string,
  required: readonly Requirement[],
  fitting: readonly Candidate[],
  candidates: readonly Candidate[],
): PackageResult<never> {
  if (fitting.length > 0)
    return problem(
      'package_yanked',
      `${name} ${fitting.map(({ version }) => version).join(', ')} was withdrawn by its authors (yanked). Ask for another version.`,
    )
  const who = required
    .map(
      ({ requirer, range }) =>
        `${requirer} ${requirer === 'you' ? 'require' : 'requires'} ${range || 'any version'}`,
    )
    .join(', and ')
  const versions = candidates.filter(({ isYanked }) => !isYanked).map(({ version }) => version)
  return problem(
    'package_conflict',
    `No version of ${name} fits: ${who}. The index has ${versions.slice(0, 5).join(', ') || 'none'}${versions.length > 5 ? ' and older ones' : ''}.`,
  )
}
