// Guards reading SKILL.md: whatever its bytes are, reading never throws, every finding has a place, and a skill that
// loads can be used. SEED and CASES: see seed.ts.

import { expect, test } from 'vitest'
import { fromUtf8, hex } from '../../src/lib/bytes.ts'
import { codePoints, stripInvisible } from '../../src/lib/text.ts'
import { bodyOf } from '../../src/skills/format/frontmatter.ts'
import { isUsableName } from '../../src/skills/format/name.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import type { ParseResult } from '../../src/skills/format/parse.ts'
import { betweenTasks, casesOr, SEED } from './seed.ts'
import { randomFrom, skillMdCase } from './skill-md-cases.ts'

const CASES = casesOr(1_000)
/** Findings about the file as a whole. */
const NO_LINE = new Set(['skill-md-too-large', 'not-utf8'])
/**
 * A timeout for work that never ends, not a measure: a case takes a third of a millisecond, so this scales with their
 * number.
 */
const GUARD = { timeout: 60_000 + 20 * CASES }

test(`${CASES} files of seed ${SEED} are loaded safely or refused`, GUARD, async () => {
  let loaded = 0
  for (let at = 0; at < CASES; at++) {
    await betweenTasks(at)
    // Each case has its own seed, so that it can be run alone.
    const bytes = skillMdCase(randomFrom(SEED + at), at)
    const [strict, lenient] = [parseSkill(bytes, 'tea', 'strict'), parseSkill(bytes, 'tea', 'lenient')]
    const complaint = wrong(bytes, strict) ?? wrong(bytes, lenient) ?? unequal(bytes, strict, lenient)
    if (complaint !== null) expect.fail(`SEED=${SEED}, case ${at}: ${complaint}; ${shown(bytes)}`)
    if (lenient.skill) loaded++
  }
  // A generator whose files are all refused at once would test only the first check.
  if (CASES >= 1_000) expect(loaded / CASES).toBeGreaterThan(0.2)
})

/** Contradictions within one result, or null. */
function wrong(bytes: Uint8Array, { skill, findings }: ParseResult): string | null {
  if ((skill === null) !== findings.some(({ severity }) => severity === 'error'))
    return 'skill and errors disagree'
  const lines = (fromUtf8(bytes) ?? '').split(/\r\n?|\n/).length
  for (const { rule, file, line, message, fix } of findings) {
    if (file !== 'SKILL.md') return `${rule}: file ${file}`
    if (line === null ? !NO_LINE.has(rule) : line < 1 || line > lines)
      return `${rule}: line ${line} of ${lines}`
    if (message === '' || fix === '') return `${rule}: no words`
    if (/\p{Cc}/u.test(message) || stripInvisible(message) !== message)
      return `${rule}: raw text in its message`
    if (message.length > 2_000) return `${rule}: a message of ${message.length} characters`
  }
  if (findings.length > 100) return `${findings.length} findings`
  return skill && unusable(skill.meta)
}

function unusable(meta: NonNullable<ParseResult['skill']>['meta']): string | null {
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

/** Contradictions between the strict and the lenient result, or with a later reader of the same text. */
function unequal(bytes: Uint8Array, strict: ParseResult, lenient: ParseResult): string | null {
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
