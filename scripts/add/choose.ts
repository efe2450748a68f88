// Chooses among the offered skills. Pure, except for the question.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { didYouMean } from '../../src/lib/suggest.ts'
import { quoted } from '../../src/skills/format/finding.ts'
import type { Ask } from '../lib/ask.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { ADD_PROBLEMS_SHOWN } from './limits.ts'
import { folderName } from './lock.ts'
import type { Offer, SourceOffers } from './offer.ts'

export interface SkillChoice {
  readonly names: readonly string[]
  readonly all: boolean
}

/** The first of each name: others are named by their paths. */
function visibleOf(offers: readonly Offer[]): readonly Offer[] {
  return offers.filter(({ internal, twinOf }) => !internal && twinOf === null)
}

/** The skills to list: the named ones, including hidden ones; without names all that are not hidden. */
export function listedOffers(
  offers: readonly Offer[],
  names: readonly string[],
): Result<readonly Offer[], string> {
  return names.length > 0 ? named(offers, names) : ok(visibleOf(offers))
}

/** One line per skill: its name and the start of its description. */
export function offerLines(shown: readonly Offer[]): string[] {
  const width = Math.min(40, Math.max(0, ...shown.map(({ name }) => name.length)))
  return shown.map(({ name, description }) => {
    const text = harmlessLine(description)
    return `  ${harmlessLine(name).padEnd(width)}  ${text.length > 90 ? `${text.slice(0, 89)}…` : text}`
  })
}

/** Skills that were passed over because a chosen one has the same name. */
export function twinLines(offers: readonly Offer[], chosen: readonly Offer[]): string[] {
  const lines: string[] = []
  for (const { name, path, twinOf } of chosen) {
    if (twinOf !== null) continue
    const twins = offers.filter((one) => one.twinOf === path && one.name === name)
    if (twins.length === 0) continue
    const others = twins.map((one) => quoted(one.path)).join(', ')
    lines.push(
      `Several are called ${harmlessLine(name)}: ${path === '' ? 'the one at the root' : quoted(path)} is taken, not ${others}. --skill with that path takes another.`,
    )
  }
  return lines
}

/**
 * Names (or paths) win; a single offer needs no choice; several are listed and the user chooses. Problems of the
 * source are reported unless names were given.
 */
export async function choose(
  { offers, problems }: SourceOffers,
  { names, all }: SkillChoice,
  ask: Ask | null,
  say: (line: string) => void,
): Promise<Result<readonly Offer[], string>> {
  if (names.length > 0) return named(offers, names)
  const visible = visibleOf(offers)
  if (visible.length === 0)
    return err(['There is no skill to take.', ...problems, ...hiddenNote(offers)].join('\n'))
  const left = [...problems, ...hiddenNote(offers)]
  for (const line of left.slice(0, ADD_PROBLEMS_SHOWN)) say(`  (${harmlessLine(line)})`)
  if (left.length > ADD_PROBLEMS_SHOWN)
    say(`  (and ${left.length - ADD_PROBLEMS_SHOWN} more: --list shows all)`)
  if (all || visible.length === 1) return ok(visible)
  say(`There are ${visible.length} skills:`)
  for (const line of offerLines(visible)) say(line)
  if (!ask)
    return err(
      'Several skills are there, and nobody is here to choose: name them with --skill, or take --all.',
    )
  const answer = await ask('Which ones? Names separated by blanks, or all: ')
  if (answer === '') return err('None was chosen. Nothing was changed.')
  return answer === 'all' ? ok(visible) : named(offers, answer.split(/[\s,]+/))
}

function named(offers: readonly Offer[], names: readonly string[]): Result<readonly Offer[], string> {
  const chosen = new Set<Offer>()
  for (const name of names) {
    const offer =
      offers.find((one) => one.name === name && one.twinOf === null) ??
      offers.find((one) => one.path === name) ??
      offers.find((one) => folderName(one.name) === folderName(name))
    if (!offer) {
      const known = offers.map((one) => one.name)
      return err(`There is no skill ${harmlessLine(name)} here.${didYouMean(name, known)} --list shows all.`)
    }
    chosen.add(offer)
  }
  return ok(Array.from(chosen))
}

/** Lists the skills that their authors hide. */
export function hiddenNote(offers: readonly Offer[]): string[] {
  const hidden = offers.filter(({ internal }) => internal).map(({ name }) => harmlessLine(name))
  return hidden.length === 0
    ? []
    : [`Hidden by their authors, to be named with --skill: ${hidden.join(', ')}`]
}
