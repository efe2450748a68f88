// A Python index with the JSON form of the simple API (PEP 691). Only wheels for all platforms are considered. The
// requirements of a wheel are read from the wheel itself.

import * as pep440 from '@renovatebot/pep440'
import * as z from 'zod'

import { isSha256 } from '../../src/lib/bytes.ts'
import { ok } from '../../src/lib/result.ts'
import { evaluateMarker } from '../../src/skills/check/python-markers.ts'
import { parseRequirement } from '../../src/skills/check/python-requirement.ts'
import { cachedArchive, cacheArchive, sha256OfArchive } from './archive-cache.ts'
import { nativeMessage } from './native.ts'
import { problem, type PackageResult } from './problem.ts'
import { isPureWheel, isUsableWheel, readWheel, type Wheel } from './wheel.ts'

import type { IndexHttp } from './index-http.ts'
import type { Candidate, PackageSource, Requirement } from './resolve.ts'

/** The Python release of the sandbox, which is compared with a package's `Requires-Python`. */
const PYTHON_VERSION = '3.13.2'

const ACCEPT = 'application/vnd.pypi.simple.v1+json'

const Project = z.looseObject({
  files: z.array(
    z.looseObject({
      filename: z.string(),
      url: z.string(),
      hashes: z.record(z.string(), z.string()),
      'requires-python': z.string().nullish(),
      yanked: z.union([z.boolean(), z.string()]).optional(),
    }),
  ),
})

interface PythonCandidate extends Candidate {
  readonly url: string
  readonly sha256: string
}

export interface PythonIndex extends PackageSource<PythonCandidate> {
  /** Downloads and verifies the wheel of a candidate. */
  wheel(name: string, candidate: PythonCandidate): Promise<PackageResult<Wheel>>
}

/** `root` is the checkout whose cache stores the archives. */
export function pythonIndex(root: string, address: string, http: IndexHttp): PythonIndex {
  const projects = new Map<string, Promise<PackageResult<readonly PythonCandidate[]>>>()
  const wheels = new Map<string, Promise<PackageResult<Wheel>>>()

  const wheel: PythonIndex['wheel'] = async (name, candidate) => {
    const read = wheels.get(candidate.sha256) ?? fetchWheel(root, http, name, candidate)
    wheels.set(candidate.sha256, read)
    return read
  }
  return {
    wheel,
    async candidates(name) {
      const read = projects.get(name) ?? fetchProject(address, http, name)
      projects.set(name, read)
      return read
    },
    fits: (version, range) => pep440.satisfies(version, range, { prereleases: true }),
    isPrerelease: (version) => pep440.explain(version)?.is_prerelease ?? false,
    async requirements(candidate, name, extras) {
      const read = await wheel(name, candidate)
      return read.ok ? requirementsOf(read.value, extras) : read
    },
  }
}

async function fetchProject(
  address: string,
  http: IndexHttp,
  name: string,
): Promise<PackageResult<readonly PythonCandidate[]>> {
  const url = `${address}/${encodeURIComponent(name)}/`
  const got = await http.json(url, ACCEPT)
  if (!got.ok) return got
  if (got.value === null)
    return problem('package_unknown', `The index has no package ${name}. Check the spelling.`)
  const project = Project.safeParse(got.value)
  if (!project.success)
    return problem(
      'index_unavailable',
      `The answer for ${name} is not in the JSON form of the simple API (PEP 691).`,
    )
  const { files } = project.data
  const candidates = new Map<string, PythonCandidate & { readonly isPure: boolean }>()
  let newerPython: string | null = null
  for (const file of files) {
    if (!isUsableWheel(name, file.filename)) continue
    const version = pep440.clean(file.filename.split('-')[1])
    const sha256 = file.hashes['sha256'] ?? ''
    if (version === null || !isSha256(sha256)) continue
    const requiresPython = file['requires-python'] ?? ''
    if (!fitsPython(requiresPython)) {
      newerPython = requiresPython
      continue
    }
    const isYanked = file.yanked !== undefined && file.yanked !== false
    const isPure = isPureWheel(file.filename)
    const known = candidates.get(version)
    // If a version has several files, use the pure one, or else the first by name, so that the choice is
    // deterministic.
    if (known && (known.isPure !== isPure ? known.isPure : known.file < file.filename)) continue
    candidates.set(version, {
      version,
      file: file.filename,
      url: new URL(file.url, url).href,
      sha256,
      isYanked,
      isPure,
    })
  }
  if (candidates.size === 0)
    return refusal(
      name,
      files.map(({ filename }) => filename),
      newerPython,
    )
  return ok([...candidates.values()].toSorted((a, b) => pep440.rcompare(a.version, b.version)))
}

function fitsPython(range: string): boolean {
  return range.trim() === '' || !pep440.validRange(range) || pep440.satisfies(PYTHON_VERSION, range)
}

function refusal(name: string, files: readonly string[], newerPython: string | null): PackageResult<never> {
  if (newerPython !== null)
    return problem(
      'package_conflict',
      `${name} requires Python ${newerPython}; scripts run with Python ${PYTHON_VERSION}. Ask for another version.`,
    )
  if (files.some((file) => file.endsWith('.whl')))
    return problem(
      'package_native',
      nativeMessage('python', name, 'the index has it only as compiled wheels'),
    )
  return problem(
    'package_native',
    files.length === 0
      ? `The index has no files for ${name}.`
      : `${name} has no wheel, only a source archive, and building that would execute its code. Build a wheel (py3-none-any) yourself and put it into your index.`,
  )
}

async function fetchWheel(
  root: string,
  http: IndexHttp,
  name: string,
  { url, sha256, file }: PythonCandidate,
): Promise<PackageResult<Wheel>> {
  const cached = await cachedArchive(root, sha256)
  const got = cached ? ok(cached) : await http.archive(url)
  if (!got.ok) return got
  if (sha256OfArchive(got.value) !== sha256)
    return problem(
      'package_changed',
      `${file} is not the file that the index describes: its sha-256 is ${sha256OfArchive(got.value)} instead of ${sha256}. Nothing was unpacked.`,
    )
  const wheel = readWheel(name, file, got.value)
  if (wheel.ok && !cached) await cacheArchive(root, got.value)
  return wheel
}

function requirementsOf(
  { requires }: Wheel,
  extras: readonly string[],
): PackageResult<readonly Requirement[]> {
  const found: Requirement[] = []
  for (const text of requires) {
    const parsed = parseRequirement(text)
    if (!parsed.ok) return problem('requirement_invalid', `${parsed.error}.`)
    const { name, extras: wanted, range, marker } = parsed.value
    const applies = marker === null || ['', ...extras].some((extra) => evaluateMarker(marker, extra) === true)
    if (applies) found.push({ name, range, extras: wanted, requirer: '' })
  }
  return ok(found)
}
