// Writes a synthetic collection of skills that is as large and varied as real ones: sizes follow those of 7,000 public
// skills. The same seed gives the same bytes. No real text is used.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SCAN_CONCURRENCY } from '../../lib/limits.ts'
import { mapBounded } from '../../lib/pool.ts'
import { seededChance } from '../rig/random.ts'

export interface Collection {
  readonly skills: number
  /** Number of files in addition to SKILL.md. */
  readonly resources: number
  readonly bytes: number
}

/** A log-normal distribution with this median; 99 in 100 are at most `p99`. */
interface Sizes {
  readonly median: number
  readonly p99: number
  readonly max: number
}

const SKILL_MD_BYTES: Sizes = { median: 4_764, p99: 33_168, max: 200_000 }
const DESCRIPTION_CHARS: Sizes = { median: 206, p99: 968, max: 1_024 }
const RESOURCES: Sizes = { median: 2, p99: 51, max: 400 }
const RESOURCE_BYTES: Sizes = { median: 3_367, p99: 77_168, max: 300_000 }
/** The distance of the 99th percentile from the median, in standard deviations. */
const P99_DEVIATIONS = 2.3263
/** The folder, extension and share of each kind of resource file. */
const KINDS = [
  ['references', 'md', 0.53],
  ['assets', 'json', 0.14],
  ['scripts', 'py', 0.1],
  ['assets', 'yaml', 0.07],
  ['scripts', 'sh', 0.06],
  ['assets', 'txt', 0.1],
] as const
const VOCABULARY =
  `account adapter agenda alert analysis answer archive audit backup balance batch billing board branch
budget build cache calendar campaign catalog chart check client cluster code column commit contract coverage customer
dashboard data database deploy design detail diagram document draft error event export feature field file filter fix
form format gateway graph guide handler health hook image import index input invoice issue job key label layout ledger
lesson library license limit link list local log mail map margin market memory menu merge message metric migrate mobile
model module monitor network note object offer order output package page parser patch payment pipeline plan policy
portal price product profile project prompt proof query queue quote rate record region release report request research
resource response review risk route rule sample scan schedule schema score script search secret section server service
session sheet shell signal site slide source spreadsheet stage status step stock storage store stream style summary
survey table target task team template test text theme ticket timeline token tool topic trace track traffic translate
trend trigger tutorial unit update upload user value vendor version video view volume warning web widget window workflow
write year zone`.split(/\s+/)

/**
 * Writes `count` skills below `dir`, one folder each, in groups of a hundred. 7,000 skills have about 27,000
 * resource files and 270 MB.
 */
export async function writeCollection(dir: string, count: number, seed: number): Promise<Collection> {
  const sizes = await mapBounded([...Array(count).keys()], SCAN_CONCURRENCY, async (index) =>
    writeSkill(dir, index, randomFrom(seed * 1_000_003 + index)),
  )
  return {
    skills: count,
    resources: sizes.reduce((sum, files) => sum + files.length - 1, 0),
    bytes: sizes.flat().reduce((sum, size) => sum + size, 0),
  }
}

/** The SKILL.md of such a skill, for benchmarks that need no other files. */
export function skillAlone(index: number, seed: number): { readonly name: string; readonly text: string } {
  const random = randomFrom(seed * 1_000_003 + index)
  const name = `${word(random)}-${word(random)}-${index}`
  return { name, text: skillMd(name, [], random) }
}

async function writeSkill(dir: string, index: number, random: () => number): Promise<number[]> {
  const name = `${word(random)}-${word(random)}-${index}`
  const root = join(dir, `group-${Math.floor(index / 100)}`, name)
  const paths = Array.from(
    { length: random() < 0.31 ? 0 : Math.round(draw(RESOURCES, random)) },
    (_, file) => {
      const [folder, extension] = kindOf(random())
      return `${folder}/${word(random)}-${file}.${extension}`
    },
  )
  const files = [
    { path: 'SKILL.md', text: skillMd(name, paths, random) },
    ...paths.map((path) => ({ path, text: prose(draw(RESOURCE_BYTES, random), random) })),
  ]
  for (const { path, text } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return files.map(({ text }) => text.length) // ASCII: characters are bytes
}

function skillMd(name: string, paths: readonly string[], random: () => number): string {
  const description = prose(draw(DESCRIPTION_CHARS, random), random).replace(/\s+/g, ' ').trim()
  const header = `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  version: "1.${Math.floor(random() * 9)}"\n---\n`
  const links = paths.slice(0, 20).map((path) => `- [${path}](${path})\n`)
  const rest = draw(SKILL_MD_BYTES, random) - header.length - links.join('').length
  return `${header}\n# ${name}\n\n${prose(rest, random)}\n\n${links.join('')}`
}

/** Generates sentences under headings, with this many characters in total. */
function prose(length: number, random: () => number): string {
  let text = ''
  for (let sentence = 1; text.length < length; sentence++) {
    const sentenceWords = Array.from({ length: 5 + Math.floor(random() * 12) }, () => word(random))
    text += `${sentenceWords.join(' ')}.${sentence % 4 === 0 ? '\n' : ' '}`
    if (sentence % 20 === 0) text += `\n## ${word(random)} ${word(random)}\n\n`
  }
  return text.slice(0, Math.max(0, Math.round(length)))
}

function word(random: () => number): string {
  // Squaring makes some words common and most of them rare.
  return VOCABULARY[Math.floor(random() ** 2 * VOCABULARY.length)] ?? 'task'
}

function kindOf(share: number): readonly [string, string] {
  let sum = 0
  for (const [folder, extension, part] of KINDS) if ((sum += part) >= share) return [folder, extension]
  return ['references', 'md']
}

function draw({ median, p99, max }: Sizes, random: () => number): number {
  // The Box-Muller transform converts two uniform numbers to a normally distributed one.
  const deviations = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.min(max, median * (p99 / median) ** (deviations / P99_DEVIATIONS))
}

/** Returns a generator of numbers from 0 to 1. The same seed gives the same sequence. */
function randomFrom(seed: number): () => number {
  return seededChance(seed).next
}
