// Benchmark of hostile skills: the files and archives of the fuzz tests, and fixed texts designed to be slow. Measures
// CPU time, which is what limits a Worker: all threads combined, including the garbage collector and the compiler,
// with no other load on the machine.

import { utf8 } from '../../../src/lib/bytes.ts'
import { SKILL_MD_MAX_BYTES } from '../../../src/limits/skills.ts'
import { parseSkill } from '../../../src/skills/format/parse.ts'
import { unpackArchive } from '../../../src/skills/package/archive.ts'
import { casesOr, SEED } from '../../../test/fuzz/seed.ts'
import { HOSTILE, TAIL } from '../../../test/unit/skills/hostile-headers.ts'
import { skillMd } from '../../../test/unit/skills/skill-text.ts'
import { amount, line, ms, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { figures } from '../rig/stats.ts'

const CASES = casesOr(20_000)
/** Number of times that each fixed text is read, after one unmeasured time. */
const READS_PER_TEXT = 20
const REPORT_EVERY_CASES = 5_000

const LIMIT_MS = 50

interface Timing {
  readonly label: string
  readonly ms: number
}

async function measureCpu(label: string, work: () => unknown): Promise<Timing> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { label, ms: (user + system) / 1_000 }
}

function summaryLine(what: string, all: readonly Timing[]): FigureLine {
  const slowest = all.reduce((most, one) => (one.ms > most.ms ? one : most), { label: '', ms: 0 })
  const { median, p99, rounds } = figures(all.map((one) => one.ms))
  const worst = `slowest ${ms(slowest.ms)} (${slowest.label}; ${amount(rounds)} rounds)`
  return line(
    `${what}: CPU time of one read`,
    `${ms(median, 2)} · p99 ${ms(p99)} · ${worst}`,
    `none over ${LIMIT_MS} ms`,
    slowest.ms <= LIMIT_MS,
  )
}

/** Measures `CASES` cases. `one` creates and reads case number n, in one or several ways. */
async function measureCases(
  what: string,
  tell: ReportProgress,
  one: (index: number) => Promise<readonly Timing[]>,
): Promise<FigureLine> {
  const all: Timing[] = []
  for (let index = 0; index < CASES; index++) {
    if (index % REPORT_EVERY_CASES === 0)
      tell(`skills-hostile: ${what}: ${index.toLocaleString('en-US')} of ${CASES.toLocaleString('en-US')}`)
    all.push(...(await one(index)))
  }
  return summaryLine(`${what}, SEED=${SEED}`, all)
}

/** Measures both ways to read a file: for publishing and for loading. */
async function measureReads(label: string, bytes: Uint8Array): Promise<readonly Timing[]> {
  return [
    await measureCpu(`${label}, strict`, () => parseSkill(bytes, 'tea', 'strict')),
    await measureCpu(`${label}, lenient`, () => parseSkill(bytes, 'tea', 'lenient')),
  ]
}

function fixedTexts(): Readonly<Record<string, string>> {
  const headers = Object.entries(HOSTILE).map(([what, header]) => [what, skillMd(header + TAIL)])
  const maximal = ['\r', '\n', 'x', '---\n'].map((piece) => [
    `${JSON.stringify(piece)} as large as is read`,
    piece.repeat(SKILL_MD_MAX_BYTES / piece.length),
  ])
  return Object.fromEntries([...headers, ...maximal])
}

async function measureFixed(tell: ReportProgress): Promise<FigureLine> {
  const all: Timing[] = []
  const texts = Object.entries(fixedTexts())
  tell(`skills-hostile: ${texts.length} fixed texts, ${READS_PER_TEXT} times each`)
  for (const [what, text] of texts) {
    const bytes = utf8(text)
    await measureReads(what, bytes)
    for (let times = 0; times < READS_PER_TEXT; times++) all.push(...(await measureReads(what, bytes)))
  }
  return summaryLine(`${texts.length} SKILL.md files that are slow to parse`, all)
}

export async function measureHostileSkills(tell: ReportProgress): Promise<PartResult> {
  // Imported late, because preparing the archives takes a second.
  const { randomFrom, skillMdCase } = await import('../../../test/fuzz/skill-md-cases.ts')
  const { hostileArchive, seeded } = await import('../../../test/fuzz/archive-cases.ts')
  const random = seeded(SEED)
  const lines = [
    await measureCases('hostile and random SKILL.md', tell, async (index) =>
      measureReads(`case ${index}`, skillMdCase(randomFrom(SEED + index), index)),
    ),
    await measureFixed(tell),
    await measureCases('hostile and damaged archives', tell, async (index) => {
      const { kind, bytes } = hostileArchive(random)
      return [await measureCpu(`case ${index}, ${kind}`, async () => unpackArchive(bytes))]
    }),
  ]
  return { lines, figures: lines }
}
