// How long the worst skills take: the files and archives of the fuzz tests, and fixed texts designed to be slow.
// Measured as CPU time, which is what limits a Worker: all threads combined, including the garbage collector and
// compiler, with no other load on the machine.

import { utf8 } from '../../../src/lib/bytes.ts'
import { SKILL_MD_MAX_BYTES } from '../../../src/limits/skills.ts'
import { parseSkill } from '../../../src/skills/format/parse.ts'
import { unpackArchive } from '../../../src/skills/package/archive.ts'
import { casesOr, SEED } from '../../../test/fuzz/seed.ts'
import { HOSTILE, TAIL } from '../../../test/unit/skills/hostile-headers.ts'
import { skillMd } from '../../../test/unit/skills/skill-text.ts'
import { amount, line, ms, type FigureLine, type Measured, type ReportProgress } from '../rig/lines.ts'
import { figures } from '../rig/stats.ts'

const CASES = casesOr(20_000)
/** How often each fixed text is read, after one unmeasured time. */
const TIMES = 20
const TELL_EVERY = 5_000

const LIMIT_MS = 50

interface Timing {
  readonly of: string
  readonly ms: number
}

async function timed(of: string, work: () => unknown): Promise<Timing> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { of, ms: (user + system) / 1_000 }
}

function summed(what: string, all: readonly Timing[]): FigureLine {
  const slowest = all.reduce((most, one) => (one.ms > most.ms ? one : most), { of: '', ms: 0 })
  const { median, p99, rounds } = figures(all.map((one) => one.ms))
  const worst = `slowest ${ms(slowest.ms)} (${slowest.of}; ${amount(rounds)} rounds)`
  return line(
    `${what}: CPU time of one read`,
    `${ms(median, 2)} · p99 ${ms(p99)} · ${worst}`,
    `none over ${LIMIT_MS} ms`,
    slowest.ms <= LIMIT_MS,
  )
}

/** Times `CASES` cases; `one` creates and reads case number n, in one or several ways. */
async function cases(
  what: string,
  tell: ReportProgress,
  one: (at: number) => Promise<readonly Timing[]>,
): Promise<FigureLine> {
  const all: Timing[] = []
  for (let at = 0; at < CASES; at++) {
    if (at % TELL_EVERY === 0)
      tell(`skills-hostile: ${what}: ${at.toLocaleString('en-US')} of ${CASES.toLocaleString('en-US')}`)
    all.push(...(await one(at)))
  }
  return summed(`${what}, SEED=${SEED}`, all)
}

/** Both ways to read a file: for publishing and for loading. */
async function readings(of: string, bytes: Uint8Array): Promise<readonly Timing[]> {
  return [
    await timed(`${of}, strict`, () => parseSkill(bytes, 'tea', 'strict')),
    await timed(`${of}, lenient`, () => parseSkill(bytes, 'tea', 'lenient')),
  ]
}

function fixedTexts(): Readonly<Record<string, string>> {
  const headers = Object.entries(HOSTILE).map(([what, header]) => [what, skillMd(header + TAIL)])
  const whole = ['\r', '\n', 'x', '---\n'].map((piece) => [
    `${JSON.stringify(piece)} as large as is read`,
    piece.repeat(SKILL_MD_MAX_BYTES / piece.length),
  ])
  return Object.fromEntries([...headers, ...whole])
}

async function fixed(tell: ReportProgress): Promise<FigureLine> {
  const all: Timing[] = []
  const texts = Object.entries(fixedTexts())
  tell(`skills-hostile: ${texts.length} fixed texts, ${TIMES} times each`)
  for (const [what, text] of texts) {
    const bytes = utf8(text)
    await readings(what, bytes)
    for (let times = 0; times < TIMES; times++) all.push(...(await readings(what, bytes)))
  }
  return summed(`${texts.length} SKILL.md files that are slow to parse`, all)
}

export async function measureHostileSkills(tell: ReportProgress): Promise<Measured> {
  // Imported late: preparing the archives takes a second.
  const { randomFrom, skillMdCase } = await import('../../../test/fuzz/skill-md-cases.ts')
  const { hostileArchive, seeded } = await import('../../../test/fuzz/archive-cases.ts')
  const random = seeded(SEED)
  const lines = [
    await cases('hostile and random SKILL.md', tell, async (at) =>
      readings(`case ${at}`, skillMdCase(randomFrom(SEED + at), at)),
    ),
    await fixed(tell),
    await cases('hostile and damaged archives', tell, async (at) => {
      const { kind, bytes } = hostileArchive(random)
      return [await timed(`case ${at}, ${kind}`, async () => unpackArchive(bytes))]
    }),
  ]
  return { lines, figures: lines }
}
