// Implements the verbs of `npm run packages`: list, add, remove and needs. They change only the lock and the cache of
// archives.

import { counted } from '../../src/lib/counted.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { addToLock, parseRequest, removeFromLock, type PackageRequest } from './change-lock.ts'
import { layOut } from './laid-out.ts'
import { LANGUAGES, PACKAGE_LOCK, readPackageLock, writePackageLock, type PackageLock } from './lock.ts'

import type { PackageNeed } from '../../src/skills/check/package-needs.ts'
import type { IndexAddresses } from './open-index.ts'
import type { PackageProblem } from './problem.ts'

export interface SkillNeed extends PackageNeed {
  /** The path of the skill's folder. */
  readonly skill: string
  readonly isLocked: boolean
}

export interface PackagePorts {
  /** The checkout. */
  readonly root: string
  readonly addresses: IndexAddresses
  /** The packages that skills declare. */
  readonly needs: (lock: PackageLock) => Promise<readonly SkillNeed[]>
  readonly say: (line: string) => void
  readonly complain: (line: string) => void
}

/** Runs a verb. Returns the exit status, or a message about wrong arguments. */
export async function runPackagesVerb(
  args: readonly string[],
  ports: PackagePorts,
): Promise<number | string> {
  const [verb = '', ...names] = args
  const takesNames = verb === 'add' || verb === 'remove'
  if (!['list', 'add', 'remove', 'needs'].includes(verb))
    return verb === ''
      ? 'Specify a verb: list, add, remove or needs.'
      : `There is no verb ${JSON.stringify(verb)}.`
  if (takesNames !== names.length > 0)
    return takesNames ? `${verb} needs a package name.` : `${verb} takes no names.`
  const lock = await readPackageLock(ports.root)
  if (!lock.ok) return fail(ports, lock.error)
  if (verb === 'list') return list(lock.value, ports)
  if (verb === 'needs') return needs(lock.value, ports)
  const requests: PackageRequest[] = []
  for (const name of names) {
    const request = parseRequest(name)
    if (!request.ok) return fail(ports, request.error)
    requests.push(request.value)
  }
  return verb === 'add' ? add(lock.value, requests, ports) : remove(lock.value, requests, ports)
}

function fail({ complain }: PackagePorts, { code, message }: PackageProblem): number {
  complain(`${message} (${code})`)
  return 1
}

function list(lock: PackageLock, { say }: PackagePorts): number {
  const rows = LANGUAGES.flatMap((language) =>
    Object.entries(lock[language]).map(([name, { version, licence, requested }]) => [
      `${name} ${version}`,
      language,
      licence,
      requested === null ? 'required by another package' : '',
    ]),
  )
  if (rows.length === 0) say('No packages. Add one: npm run packages -- add NAME')
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  for (const row of rows)
    say(harmlessLine(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).trimEnd())
  return 0
}

async function needs(lock: PackageLock, { needs: needsOf, say }: PackagePorts): Promise<number> {
  const all = await needsOf(lock)
  const missing = all.filter(({ isLocked }) => !isLocked)
  for (const { requirement, skill, file, isLocked } of all)
    say(harmlessLine(`${isLocked ? 'there   ' : 'missing '} ${requirement}  ${skill}/${file}`))
  const names = [...new Set(missing.map(({ requirement }) => `'${requirement}'`))]
  if (names.length > 0) say(harmlessLine(`Add them: npm run packages -- add ${names.join(' ')}`))
  else say('No skill needs a package that is not there.')
  return missing.length > 0 ? 1 : 0
}

async function add(
  lock: PackageLock,
  requests: readonly PackageRequest[],
  ports: PackagePorts,
): Promise<number> {
  const added = await addToLock(ports.root, lock, requests, ports.addresses)
  if (!added.ok) return fail(ports, added.error)
  // Archives of unchanged packages may not be cached. skills:build fetches them and checks everything.
  const checked = await layOut(ports.root, added.value)
  if (!checked.ok && checked.error.code !== 'index_missing') return fail(ports, checked.error)
  await writePackageLock(ports.root, added.value)
  return report(lock, added.value, ports)
}

async function remove(
  lock: PackageLock,
  requests: readonly PackageRequest[],
  ports: PackagePorts,
): Promise<number> {
  let rest = lock
  for (const request of requests) {
    const removed = removeFromLock(rest, request)
    if (!removed.ok) return fail(ports, removed.error)
    rest = removed.value
  }
  await writePackageLock(ports.root, rest)
  return report(lock, rest, ports)
}

/** Prints the difference between two locks. */
function report(before: PackageLock, after: PackageLock, { say }: PackagePorts): number {
  let changes = 0
  for (const language of LANGUAGES)
    for (const name of new Set([...Object.keys(before[language]), ...Object.keys(after[language])])) {
      const [old, now] = [before[language][name], after[language][name]]
      if (old?.version === now?.version) continue
      changes += 1
      const change = old && now ? `${old.version} is now ${now.version}` : (now?.version ?? 'removed')
      say(harmlessLine(`${name} ${change}${now ? ` (${now.licence})` : ''}`))
    }
  say(
    changes === 0
      ? `${PACKAGE_LOCK} already has this.`
      : `${PACKAGE_LOCK}: ${counted(changes, 'change')}. npm run skills:build copies the packages into the static files; npm start does so when it starts.`,
  )
  return 0
}
