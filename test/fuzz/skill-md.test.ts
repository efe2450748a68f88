// Whatever bytes arrive as SKILL.md: reading never throws, costs no time, says where each finding is, and what it
// loads can be used. SEED repeats a run, CASES sets its length.

import { expect, test } from 'vitest'
import { fromUtf8, hex } from '../../src/lib/bytes.ts'
import { codePoints, stripInvisible } from '../../src/lib/text.ts'
import { bodyOf } from '../../src/skills/format/frontmatter.ts'
import { isUsableName } from '../../src/skills/format/name.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import type { Parsed } from '../../src/skills/format/parse.ts'
import { randomFrom, skillMdCase } from './skill-md-cases.ts'

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const CASES = Number(process.env.CASES ?? 10_000)
const LIMIT_MS = 50
/** These are about the file as a whole. */
const NO_LINE = new Set(['skill-md-too-large', 'not-utf8'])

const NAME = `${CASES} files of seed ${SEED} are loaded safely or refused, none over ${LIMIT_MS} ms`

test(NAME, { timeout: 60_000 + 20 * CASES }, () => {
  let slowest = { ms: 0, at: 0 }
  let loaded = 0
  for (let at = 0; at < CASES; at++) {
    // One seed a case, so that a single one can be looked at.
    const bytes = skillMdCase(randomFrom(SEED + at), at)
    const read = { strict: timed(bytes, 'strict'), lenient: timed(bytes, 'lenient') }
    const ms = Math.max(read.strict.ms, read.lenient.ms)
    if (ms > slowest.ms) slowest = { ms, at }
    const complaint =
      wrong(bytes, read.strict.parsed) ??
      wrong(bytes, read.lenient.parsed) ??
      unequal(bytes, read.strict.parsed, read.lenient.parsed) ??
      (ms > LIMIT_MS ? `took ${Math.round(ms)} ms` : null)
    if (complaint !== null) expect.fail(`seed ${SEED}, case ${at}: ${complaint}; ${shown(bytes)}`)
    if (read.lenient.parsed.skill) loaded++
  }
  console.log(
    `SEED=${SEED} CASES=${CASES}: ${loaded} loaded, slowest ${slowest.ms.toFixed(1)} ms (case ${slowest.at})`,
  )
  // A generator that is refused at the door tests the door only.
  if (CASES >= 1_000) expect(loaded / CASES).toBeGreaterThan(0.2)
})

/**
 * Milliseconds of reading: by the clock or of this process's processors, whichever is less, and the best of a few
 * tries where the first is slow. The promise is about the work, not about a busy machine or a collector's pause.
 */
function timed(bytes: Uint8Array, mode: 'strict' | 'lenient'): { parsed: Parsed; ms: number } {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; ; tries++) {
    const started = performance.now()
    const before = process.cpuUsage()
    const parsed = parseSkill(bytes, 'tea', mode)
    const used = process.cpuUsage(before)
    best = Math.min(best, performance.now() - started, (used.user + used.system) / 1_000)
    if (best <= LIMIT_MS || tries === 3) return { parsed, ms: best }
  }
}

/** What is wrong with a reading in itself, or null. */
function wrong(bytes: Uint8Array, { skill, findings }: Parsed): string | null {
  if ((skill === null) !== findings.some(({ severity }) => severity === 'error'))
    return 'skill and errors disagree'
  const lines = (fromUtf8(bytes) ?? '').split(/\r\n?|\n/).length
  for (const { rule, file, line, message, mend } of findings) {
    if (file !== 'SKILL.md') return `${rule}: file ${file}`
    if (line === null ? !NO_LINE.has(rule) : line < 1 || line > lines)
      return `${rule}: line ${line} of ${lines}`
    if (message === '' || mend === '') return `${rule}: no words`
    if (/\p{Cc}/u.test(message) || stripInvisible(message) !== message)
      return `${rule}: raw text in its message`
    if (message.length > 2_000) return `${rule}: a message of ${message.length} characters`
  }
  if (findings.length > 100) return `${findings.length} findings`
  return skill && unusable(skill.meta)
}

function unusable(meta: NonNullable<Parsed['skill']>['meta']): string | null {
  const { name, description, tags, dependencies, argumentHint, changelog } = meta
  if (!isUsableName(name) || name !== name.trim()) return `name ${JSON.stringify(name)}`
  const texts = [description, ...tags, ...dependencies, argumentHint ?? '', changelog ?? '']
  const odd = texts.find(
    (text) => /[\n\t]/.test(text) || stripInvisible(text) !== text || !text.isWellFormed(),
  )
  if (odd !== undefined) return `text ${JSON.stringify(odd.slice(0, 80))}`
  if (description.trim() === '' || codePoints(description) > 1_536) return 'description'
  if (tags.length > 32 || dependencies.length > 32) return 'lists without end'
  return JSON.stringify(meta.extra) === undefined ? 'extra that is no JSON' : null
}

/** What is wrong between the two ways of reading, and a later reader of the same text. */
function unequal(bytes: Uint8Array, strict: Parsed, lenient: Parsed): string | null {
  if (strict.skill && !lenient.skill) return 'published but not loaded'
  if (strict.skill && strict.skill.meta.name !== lenient.skill?.meta.name) return 'two names'
  if (strict.skill && strict.skill.meta.description !== lenient.skill?.meta.description)
    return 'two descriptions'
  if (lenient.skill && bodyOf(fromUtf8(bytes) ?? '') !== lenient.skill.body) return 'two bodies'
  return null
}

function shown(bytes: Uint8Array): string {
  const text = fromUtf8(bytes)
  return text === null ? `bytes ${hex(bytes.slice(0, 200))}` : JSON.stringify(text.slice(0, 600))
}
