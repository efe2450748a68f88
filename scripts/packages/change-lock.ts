// Adds packages to the lock and removes them. Resolves all requests of the lock together, so that old and new packages
// are compatible. Writes nothing.

import { ok } from '../../src/lib/result.ts'
import { parseRequirement } from '../../src/skills/check/python-requirement.ts'
import { isPackageName, type Language, type LockedPackage, type PackageLock } from './lock.ts'
import { openNodeIndex, openPythonIndex, type IndexAddresses } from './open-index.ts'
import { problem, type PackageResult } from './problem.ts'
import { resolve, type Requirement } from './resolve.ts'

/** What the operator requests. */
export interface PackageRequest {
  readonly language: Language
  readonly name: string
  readonly range: string
  readonly extras: readonly string[]
}

const NODE_PREFIX = 'npm:'

/** Parses an argument: `openpyxl`, `openpyxl>=3.1`, `npm:lodash`, `npm:lodash@^4`. */
export function parseRequest(text: string): PackageResult<PackageRequest> {
  if (text.startsWith(NODE_PREFIX)) {
    const rest = text.slice(NODE_PREFIX.length)
    const at = rest.indexOf('@', 1)
    const name = at === -1 ? rest : rest.slice(0, at)
    if (!isPackageName(name))
      return problem('requirement_invalid', `${JSON.stringify(name)} is not a package name.`)
    return ok({ language: 'node', name, range: at === -1 ? '' : rest.slice(at + 1), extras: [] })
  }
  const parsed = parseRequirement(text)
  if (!parsed.ok)
    return problem('requirement_invalid', `${parsed.error}. Write it like openpyxl>=3.1 or npm:lodash@^4.`)
  const { name, range, extras } = parsed.value
  return ok({ language: 'python', name, range, extras })
}

/** The lock with these packages and all their dependencies. */
export async function addToLock(
  root: string,
  lock: PackageLock,
  requests: readonly PackageRequest[],
  addresses: IndexAddresses,
): Promise<PackageResult<PackageLock>> {
  const changed = new Map(requests.map((request) => [`${request.language} ${request.name}`, request]))
  const wanted = [...requestsOf(lock), ...requests].filter((request) => {
    const replacement = changed.get(`${request.language} ${request.name}`)
    return replacement === undefined || replacement === request
  })
  const languages = new Set(requests.map(({ language }) => language))
  const renewed = new Set(requests.map(({ name }) => name))
  const python = languages.has('python')
    ? await resolvePython(
        root,
        lock,
        wanted.filter(({ language }) => language === 'python'),
        renewed,
        addresses,
      )
    : ok(lock.python)
  if (!python.ok) return python
  const node = languages.has('node')
    ? await resolveNode(
        root,
        lock,
        wanted.filter(({ language }) => language === 'node'),
        renewed,
        addresses,
      )
    : ok(lock.node)
  return node.ok ? ok({ python: python.value, node: node.value }) : node
}

/** The requests in a lock. Extras are part of the stored text: `[socks]>=2`. */
function requestsOf(lock: PackageLock): readonly PackageRequest[] {
  const of = (language: Language): readonly PackageRequest[] =>
    Object.entries(lock[language]).flatMap(([name, { requested }]) => {
      if (requested === null) return []
      const [, extras = '', range = ''] = /^(?:\[([^\]]*)\])?(.*)$/.exec(requested) ?? []
      return [{ language, name, range, extras: extras.split(',').filter((extra) => extra !== '') }]
    })
  return [...of('python'), ...of('node')]
}

function requestedText({ range, extras }: Pick<PackageRequest, 'range' | 'extras'>): string {
  return `${extras.length > 0 ? `[${extras.join(',')}]` : ''}${range}`
}

type LockedPackages = Readonly<Record<string, LockedPackage>>

async function resolvePython(
  root: string,
  lock: PackageLock,
  requests: readonly PackageRequest[],
  renewed: ReadonlySet<string>,
  addresses: IndexAddresses,
): Promise<PackageResult<LockedPackages>> {
  const opened = openPythonIndex(root, addresses)
  if (!opened.ok) return opened
  const { index } = opened.value
  const resolved = await resolve(index, requests.map(requirementOf), versionsOf(lock.python, renewed))
  if (!resolved.ok) return resolved
  const locked: Record<string, LockedPackage> = {}
  for (const [name, { candidate, requires }] of resolved.value) {
    const wheel = await index.wheel(name, candidate)
    if (!wheel.ok) return wheel
    const { version, file, sha256 } = candidate
    locked[name] = {
      version,
      file,
      sha256,
      licence: wheel.value.licence,
      requested: requestOf(requests, name),
      requires,
    }
  }
  return ok(locked)
}

async function resolveNode(
  root: string,
  lock: PackageLock,
  requests: readonly PackageRequest[],
  renewed: ReadonlySet<string>,
  addresses: IndexAddresses,
): Promise<PackageResult<LockedPackages>> {
  const opened = openNodeIndex(root, addresses)
  if (!opened.ok) return opened
  const { index } = opened.value
  const resolved = await resolve(index, requests.map(requirementOf), versionsOf(lock.node, renewed))
  if (!resolved.ok) return resolved
  const locked: Record<string, LockedPackage> = {}
  for (const [name, { candidate, requires }] of resolved.value) {
    const archive = await index.archive(name, candidate)
    if (!archive.ok) return archive
    const { version, file } = candidate
    const { sha256, read } = archive.value
    locked[name] = {
      version,
      file,
      sha256,
      licence: read.licence,
      requested: requestOf(requests, name),
      requires,
    }
  }
  return ok(locked)
}

function requirementOf({ name, range, extras }: PackageRequest): Requirement {
  return { name, range, extras, requirer: 'you' }
}

function requestOf(requests: readonly PackageRequest[], wanted: string): string | null {
  const request = requests.find(({ name }) => name === wanted)
  return request ? requestedText(request) : null
}

/** The locked versions, which are kept if they still fit, without those of packages that are requested again. */
function versionsOf(locked: LockedPackages, renewed: ReadonlySet<string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(locked)
      .filter(([name]) => !renewed.has(name))
      .map(([name, { version }]) => [name, version]),
  )
}

/**
 * The lock without this package and the packages that only it required. Fails and names the requirers if other
 * packages still require it.
 */
export function removeFromLock(
  lock: PackageLock,
  { language, name }: PackageRequest,
): PackageResult<PackageLock> {
  const packages = lock[language]
  if (!Object.hasOwn(packages, name)) return problem('package_unknown', `${name} is not in the lock.`)
  const roots = Object.entries(packages).filter(
    ([other, { requested }]) => requested !== null && other !== name,
  )
  const kept = new Set<string>()
  const pending = roots.map(([root]) => root)
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (kept.has(next)) continue
    kept.add(next)
    pending.push(...(packages[next]?.requires ?? []))
  }
  const requirers = [...kept].filter((other) => packages[other]?.requires.includes(name))
  if (requirers.length > 0) {
    const list = requirers.join(' and ')
    return problem('package_conflict', `${name} is required by ${list}. Remove ${list} first.`)
  }
  const rest = Object.entries(packages).filter(([other]) => kept.has(other))
  return ok({ ...lock, [language]: Object.fromEntries(rest) })
}
