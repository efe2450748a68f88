// An npm registry (packuments). Refuses packages that are built or downloaded during installation, and executes no
// script of a package.

import { createHash } from 'node:crypto'

import semver from 'semver'
import * as z from 'zod'

import { ok } from '../../src/lib/result.ts'
import { cacheArchive, sha256OfArchive } from './archive-cache.ts'
import { isPackageName } from './lock.ts'
import { nativeMessage } from './native.ts'
import { readNodePackage, type NodePackage } from './node-package.ts'
import { problem, type PackageResult } from './problem.ts'

import type { IndexHttp } from './index-http.ts'
import type { Candidate, PackageSource, Requirement } from './resolve.ts'

const ACCEPT = 'application/vnd.npm.install-v1+json, application/json'
const Ranges = z.record(z.string(), z.string()).optional()

const Version = z.looseObject({
  dist: z.looseObject({
    tarball: z.string(),
    integrity: z.string().optional(),
    shasum: z.string().optional(),
  }),
  dependencies: Ranges,
  peerDependencies: Ranges,
  peerDependenciesMeta: z.record(z.string(), z.looseObject({ optional: z.boolean().optional() })).optional(),
  deprecated: z.union([z.string(), z.boolean()]).optional(),
  gypfile: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
})
const Packument = z.looseObject({ versions: z.record(z.string(), z.unknown()) })

interface NodeCandidate extends Candidate {
  readonly url: string
  readonly integrity: string
  readonly requirements: readonly Requirement[]
}

export interface NodeIndex extends PackageSource<NodeCandidate> {
  /** Downloads and verifies the archive of a candidate. Returns it with its digest. */
  archive(
    name: string,
    candidate: NodeCandidate,
  ): Promise<PackageResult<{ readonly sha256: string; readonly read: NodePackage }>>
}

/** `root` is the checkout whose cache stores the archives. */
export function nodeIndex(root: string, address: string, http: IndexHttp): NodeIndex {
  const packuments = new Map<string, Promise<PackageResult<readonly NodeCandidate[]>>>()
  return {
    async candidates(name) {
      const read = packuments.get(name) ?? fetchPackument(address, http, name)
      packuments.set(name, read)
      return read
    },
    fits: (version, range) => semver.satisfies(version, range, { includePrerelease: true }),
    isPrerelease: (version) => semver.prerelease(version) !== null,
    requirements: async (candidate) => ok(candidate.requirements),
    async archive(name, { url, integrity, file }) {
      const got = await http.archive(url)
      if (!got.ok) return got
      if (!matches(got.value, integrity))
        return problem(
          'package_changed',
          `${file} is not the file that the registry describes: its digest is not ${integrity}. Nothing was unpacked.`,
        )
      const read = await readNodePackage(name, file, got.value)
      if (!read.ok) return read
      await cacheArchive(root, got.value)
      return ok({ sha256: sha256OfArchive(got.value), read: read.value })
    },
  }
}

/** Whether the bytes match an `integrity` value such as `sha512-…`. */
function matches(bytes: Uint8Array, integrity: string): boolean {
  const [, algorithm, expected] = /^(sha512|sha384|sha256|sha1)-([A-Za-z0-9+/=]+)/.exec(integrity) ?? []
  return algorithm !== undefined && createHash(algorithm).update(bytes).digest('base64') === expected
}

async function fetchPackument(
  address: string,
  http: IndexHttp,
  name: string,
): Promise<PackageResult<readonly NodeCandidate[]>> {
  if (!isPackageName(name))
    return problem('package_unknown', `${JSON.stringify(name)} is not a package name.`)
  const url = `${address}/${name.replace('/', '%2f')}`
  const got = await http.json(url, ACCEPT)
  if (!got.ok) return got
  if (got.value === null)
    return problem('package_unknown', `The registry has no package ${name}. Check the spelling.`)
  const packument = Packument.safeParse(got.value)
  if (!packument.success)
    return problem('index_unavailable', `The answer for ${name} is not that of an npm registry.`)
  const candidates: NodeCandidate[] = []
  let native = ''
  for (const [version, raw] of Object.entries(packument.data.versions)) {
    const parsed = Version.safeParse(raw)
    if (semver.valid(version) === null || !parsed.success) continue
    const reason = nativeReason(parsed.data)
    if (reason === null) candidates.push(candidateOf(name, version, url, parsed.data))
    else native = reason
  }
  if (candidates.length === 0 && native !== '')
    return problem('package_native', nativeMessage('node', name, native))
  if (candidates.length === 0) return problem('package_unknown', `The registry has no version of ${name}.`)
  return ok(candidates.toSorted((a, b) => semver.rcompare(a.version, b.version)))
}

function nativeReason({ gypfile, os = [], cpu = [] }: z.infer<typeof Version>): string | null {
  if (gypfile === true) return 'it is compiled when it is installed'
  const isBound = (list: readonly string[]): boolean =>
    list.some((entry) => entry !== 'any' && !entry.startsWith('!'))
  return isBound(os) || isBound(cpu) ? 'it is for certain systems only' : null
}

function candidateOf(
  name: string,
  version: string,
  packumentUrl: string,
  {
    dist,
    dependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
    deprecated,
  }: z.infer<typeof Version>,
): NodeCandidate {
  const peers = Object.entries(peerDependencies).filter(
    ([peer]) => peerDependenciesMeta[peer]?.optional !== true,
  )
  const requirements = [...Object.entries(dependencies), ...peers].map(([required, range]) => ({
    name: required,
    range,
    extras: [],
    requirer: '',
  }))
  const stem = name.replace('/', '-').replace('@', '')
  return {
    version,
    file: `${stem}-${version}.tgz`,
    url: new URL(dist.tarball, packumentUrl).href,
    integrity: dist.integrity ?? `sha1-${Buffer.from(dist.shasum ?? '', 'hex').toString('base64')}`,
    // npm has no yanked versions. "deprecated" is only a warning, unless the authors call the version withdrawn.
    isYanked:
      typeof deprecated === 'string' &&
      /\b(?:withdrawn|yanked|malicious|security holding)\b/i.test(deprecated),
    requirements,
  }
}
