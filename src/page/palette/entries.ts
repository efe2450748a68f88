// Chooses and orders the entries of the palette. Entries that are known at once come before those that the server finds, so that
// nothing moves under the pointer. Pure.

import { withoutMarkdown, type Excerpt } from '../lib/plain-text.ts'
import type { IconName } from '../parts/icon.tsx'
import type { FoundThread } from '../../thread/api.ts'
import type { ListedSkill } from '../state/library/skills.ts'
import { skillSummary, skillTitle } from '../state/library/skill-text.ts'
import { rowOf, UNTITLED, type ListedThread } from '../state/threads/rows.ts'
import { hasTerms, termsOf } from './match.ts'
import { EXCERPT_BEFORE_CHARS, RECENT_THREADS_MAX, SKILLS_MAX, TITLE_MATCHES_MAX } from './limits.ts'

export interface PaletteEntry {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  /** Text after the title. */
  readonly note?: string
  /** Text around the match, below the title. */
  readonly excerpt?: Excerpt
  /** The shortcut of an action. */
  readonly keys?: string
  /** Number of things behind the entry that need the user. */
  readonly count?: number
  readonly run: () => void
  /** The palette stays open, because the entry changes its list. */
  readonly isFollowUp?: true
}

/** An action. `keywords`: other terms by which it is found. */
export interface PaletteAction extends PaletteEntry {
  readonly keywords: string
  /** Offered only if something is typed, because it is rarely needed. */
  readonly isRare?: true
}

export interface PaletteGroup {
  readonly label: string
  readonly entries: readonly PaletteEntry[]
}

export interface PaletteSources {
  readonly query: string
  readonly rows: readonly ListedThread[]
  readonly actions: readonly PaletteAction[]
  readonly skills: readonly ListedSkill[]
  /** What the server found for this query; empty until it has answered. */
  readonly found: readonly FoundThread[]
  readonly openThread: (id: string) => void
  readonly openSkill: (name: string) => void
}

export function groupsFor(sources: PaletteSources): readonly PaletteGroup[] {
  const { query, rows, actions, skills, found, openThread, openSkill } = sources
  const terms = termsOf(query)
  const threadEntry = (id: string, title: string, excerpt?: Excerpt): PaletteEntry => ({
    id: `thread ${id}`,
    icon: 'thread',
    title,
    ...(excerpt ? { excerpt } : {}),
    run: () => openThread(id),
  })
  const isEmpty = terms.length === 0
  const titled = rows.filter(({ id, title }) => id !== null && hasTerms(title, terms))
  const threads = titled.slice(0, isEmpty ? RECENT_THREADS_MAX : TITLE_MATCHES_MAX)
  const shownRoots = new Set(threads.flatMap(({ threadIds }) => threadIds))
  const others = found.filter(({ id, root }) => !shownRoots.has(id) && !shownRoots.has(root))
  const groups: readonly PaletteGroup[] = [
    {
      label: isEmpty ? 'Recent threads' : 'Threads',
      entries: threads.map(({ id, title }) => threadEntry(id ?? '', title)),
    },
    {
      label: 'Actions',
      entries: actions.filter(
        ({ title, keywords, isRare }) => !(isEmpty && isRare) && hasTerms(`${title} ${keywords}`, terms),
      ),
    },
    {
      label: 'Skills',
      entries: isEmpty ? [] : matchingSkills(skills, terms).map((skill) => skillEntry(skill, openSkill)),
    },
    {
      label: 'Messages',
      entries: isEmpty
        ? []
        : others.map(({ id, root, title, match }) =>
            threadEntry(
              id,
              (rowOf(rows, id, root)?.title ?? title) || UNTITLED,
              match ? shortExcerpt(match) : undefined,
            ),
          ),
    },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

function skillEntry(skill: ListedSkill, openSkill: (name: string) => void): PaletteEntry {
  const { name } = skill
  return {
    id: `skill ${name}`,
    icon: 'skill',
    title: skillTitle(skill),
    note: skillSummary(skill),
    run: () => openSkill(name),
  }
}

/** Skills whose name or title has all terms, then those whose description or tags do. */
function matchingSkills(skills: readonly ListedSkill[], terms: readonly string[]): readonly ListedSkill[] {
  const named: ListedSkill[] = []
  const described: ListedSkill[] = []
  for (const skill of skills) {
    if (hasTerms(`${skill.name} ${skillTitle(skill)}`, terms)) named.push(skill)
    else if (hasTerms(`${skill.name} ${skill.tags.join(' ')} ${skill.description}`, terms))
      described.push(skill)
    if (named.length >= SKILLS_MAX) break
  }
  return [...named, ...described].slice(0, SKILLS_MAX)
}

/** The excerpt without Markdown, with the match near its beginning. */
function shortExcerpt(match: Excerpt): Excerpt {
  const { before, hit, after } = withoutMarkdown(match)
  if (before.length <= EXCERPT_BEFORE_CHARS) return { before, hit, after }
  return { before: `…${before.slice(-EXCERPT_BEFORE_CHARS).replace(/^\S*\s/, '')}`, hit, after }
}
