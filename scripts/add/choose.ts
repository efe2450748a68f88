// Chooses among the offered skills. Pure, except that it may ask the user.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { didYouMean } from '../../src/lib/suggest.ts'
import { quoted } from '../../src/skills/format/finding.ts'
import type { Ask } from '../lib/ask.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { ADD_PROBLEMS_SHOWN_MAX } from './limits.ts'
import { folderName } from './lock.ts'
import type { Offer, SourceOffers } from './offer.ts'

export interface SkillChoice {
  readonly names: readonly string[]
  readonly isAll: boolean
}

/** The skills that can be chosen by name: not hidden, and the first of their name. */
function visibleOffers(offers: readonly Offer[]): readonly Offer[] {
  return offers.filter(({ isInternal, twinOf }) => !isInternal && twinOf === null)
}

/** The skills to list: those in `names`, even hidden ones, or all visible skills if `names` is empty. */
export function listedOffers(
  offers: readonly Offer[],
  names: readonly string[],
): Result<readonly Offer[], string> {
  return names.length > 0 ? findByName(offers, names) : ok(visibleOffers(offers))
}

/** One line per skill: its name and the start of its description. */
export function offerLines(listed: readonly Offer[]): string[] {
  const width = Math.min(40, Math.max(0, ...listed.map(({ name }) => name.length)))
  return listed.map(({ name, description }) => {
    const text = harmlessLine(description)
    return `  ${harmlessLine(name).padEnd(width)}  ${text.length > 90 ? `${text.slice(0, 89)}…` : text}`
  })
}

/** One line for each chosen skill whose name other skills in the source share. */
export function twinLines(offers: readonly Offer[], chosen: readonly Offer[]): string[] {
  const lines: string[] = []
  for (const { name, path, twinOf } of chosen) {
    if (twinOf !== null) continue
    const twins = offers.filter((offer) => offer.twinOf === path && offer.name === name)
    if (twins.length === 0) continue
    const otherPaths = twins.map((twin) => quoted(twin.path)).join(', ')
    lines.push(
      `Several skills are named ${harmlessLine(name)}. Using ${path === '' ? 'the one at the root' : quoted(path)}, not ${otherPaths}; to choose another, pass its path to --skill.`,
    )
  }
  return lines
}

/**
 * Returns the skills given by name or path. Without names, returns the only skill, or lists several and asks
 * the user; then it also reports the problems of the source.
 */
export async function chooseOffers(
  { offers, problems }: SourceOffers,
  { names, isAll }: SkillChoice,
  ask: Ask | null,
  say: (line: string) => void,
): Promise<Result<readonly Offer[], string>> {
  if (names.length > 0) return findByName(offers, names)
  const visibleSkills = visibleOffers(offers)
  if (visibleSkills.length === 0)
    return err(['There is no skill to add.', ...problems, ...hiddenNote(offers)].join('\n'))
  const notes = [...problems, ...hiddenNote(offers)]
  for (const line of notes.slice(0, ADD_PROBLEMS_SHOWN_MAX)) say(`  (${harmlessLine(line)})`)
  if (notes.length > ADD_PROBLEMS_SHOWN_MAX)
    say(`  (and ${notes.length - ADD_PROBLEMS_SHOWN_MAX} more: --list shows all)`)
  if (isAll || visibleSkills.length === 1) return ok(visibleSkills)
  say(`There are ${visibleSkills.length} skills:`)
  for (const line of offerLines(visibleSkills)) say(line)
  if (!ask)
    return err(
      'The source has several skills, and no terminal is available for a choice. Use --skill NAME or --all.',
    )
  const answer = await ask('Which skills? Type names separated by spaces, or all: ')
  if (answer === '') return err('No skill was chosen. Nothing was changed.')
  return answer === 'all' ? ok(visibleSkills) : findByName(offers, answer.split(/[\s,]+/))
}

/** The offer for each name, which may also be a path or the name of a folder. */
function findByName(offers: readonly Offer[], names: readonly string[]): Result<readonly Offer[], string> {
  const chosen = new Set<Offer>()
  for (const name of names) {
    const offer =
      offers.find((candidate) => candidate.name === name && candidate.twinOf === null) ??
      offers.find((candidate) => candidate.path === name) ??
      offers.find((candidate) => folderName(candidate.name) === folderName(name))
    if (!offer) {
      const knownNames = offers.map((candidate) => candidate.name)
      return err(
        `The source has no skill ${harmlessLine(name)}.${didYouMean(name, knownNames)} --list shows all.`,
      )
    }
    chosen.add(offer)
  }
  return ok(Array.from(chosen))
}

/** A note that names the skills hidden by their authors; empty if there are none. */
export function hiddenNote(offers: readonly Offer[]): string[] {
  const hiddenNames = offers.filter(({ isInternal }) => isInternal).map(({ name }) => harmlessLine(name))
  return hiddenNames.length === 0
    ? []
    : [`Hidden by their authors; name them with --skill to add them: ${hiddenNames.join(', ')}`]
}
