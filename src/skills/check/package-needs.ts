// The packages that a skill says it needs: in requirements.txt, in the inline metadata of Python scripts (PEP 723) and in
// package.json. Reads texts only.

import { evaluateMarker } from './python-markers.ts'
import { parseRequirement } from './python-requirement.ts'

export interface PackageNeed {
  readonly language: 'python' | 'node'
  /** Normalized. */
  readonly name: string
  /** As `packages -- add` accepts it: `openpyxl>=3.1`, `npm:lodash@^4`. */
  readonly requirement: string
  /** The file that declares it. */
  readonly file: string
}

/** Maximum number of packages that are read of one skill. */
const NEEDS_MAX = 200
/** Number of characters that are read of each file. */
const NEEDS_FILE_MAX_CHARS = 100_000
const INLINE_METADATA = /^# \/\/\/ script[ \t]*\r?\n((?:#(?: .*)?\r?\n)*?)# \/\/\/[ \t]*$/m

/** Whether a file may declare packages. */
export function mayNamePackages(path: string): boolean {
  if (path.split('/').includes('node_modules')) return false
  return /(?:^|\/)(?:requirements\.txt|package\.json)$/.test(path) || path.endsWith('.py')
}

/** The packages that a skill needs, in the order of its files, without duplicates. */
export function packageNeeds(files: Iterable<readonly [path: string, text: string]>): readonly PackageNeed[] {
  const needs = new Map<string, PackageNeed>()
  for (const [file, whole] of files) {
    if (!mayNamePackages(file)) continue
    const text = whole.slice(0, NEEDS_FILE_MAX_CHARS)
    const found = file.endsWith('.json')
      ? nodeNeeds(text, file)
      : pythonNeeds(file.endsWith('.py') ? inlineRequirements(text) : requirementLines(text), file)
    for (const need of found) {
      if (needs.size >= NEEDS_MAX) break
      const key = `${need.language} ${need.requirement}`
      if (!needs.has(key)) needs.set(key, need)
    }
  }
  return [...needs.values()]
}

function pythonNeeds(requirements: readonly string[], file: string): readonly PackageNeed[] {
  return requirements.flatMap((text) => {
    const parsed = parseRequirement(text)
    if (!parsed.ok) return []
    const { name, extras, range, marker } = parsed.value
    if (marker !== null && evaluateMarker(marker, '') === false) return []
    const requirement = `${name}${extras.length > 0 ? `[${extras.join(',')}]` : ''}${range}`
    return [{ language: 'python', name, requirement, file }]
  })
}

/** The requirements of a requirements.txt, without options such as `-r` and `--hash`. */
function requirementLines(text: string): readonly string[] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(/(?:^|\s)#.*$/, '')
        .replace(/\s--.*$/, '')
        .trim(),
    )
    .filter((line) => line !== '' && !line.startsWith('-'))
}

/** The list `dependencies` of a script's inline metadata. */
function inlineRequirements(text: string): readonly string[] {
  const metadata = INLINE_METADATA.exec(text)?.[1]?.replace(/^# ?/gm, '')
  const list = metadata === undefined ? null : /^dependencies\s*=\s*\[/m.exec(metadata)
  if (metadata === undefined || list === null) return []
  const requirements: string[] = []
  const token = /\s*(?:#.*|,|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|(\]))/y
  token.lastIndex = list.index + list[0].length
  for (let match = token.exec(metadata); match && match[3] === undefined; match = token.exec(metadata)) {
    const requirement = match[1]?.replace(/\\(["\\])/g, '$1') ?? match[2]
    if (requirement !== undefined) requirements.push(requirement)
  }
  return requirements
}

function nodeNeeds(text: string, file: string): readonly PackageNeed[] {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch {
    return []
  }
  const dependencies: unknown =
    typeof manifest === 'object' && manifest !== null && 'dependencies' in manifest
      ? manifest.dependencies
      : null
  if (typeof dependencies !== 'object' || dependencies === null) return []
  return Object.entries(dependencies).flatMap(([name, range]: readonly [string, unknown]) =>
    typeof range === 'string' && !/[:/]/.test(range)
      ? [{ language: 'node', name, requirement: `npm:${name}@${range}`, file }]
      : [],
  )
}
