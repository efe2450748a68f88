// The library: every skill that the user may see, and which of them can be called. Reads the list page by page.

import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import type { SkillInfo } from '../../../skills/view/skill-info.ts'
import { describeFailure, type Trouble } from '../../lib/failure.ts'
import { readPages, type ListRequest } from '../../lib/pages.ts'
import { SKILL_PAGES_MAX, SKILLS_FRESH_MS, SKILLS_OF_LATER_PAGES } from './limits.ts'
import type { Ports } from '../../lib/platform.ts'
import { skillSummary, skillTitle } from './skill-text.ts'

export interface ListedSkill extends SkillInfo {
  /** Whether a user can call the skill with `/name`. */
  readonly callable: boolean
}

export interface Skills {
  /** The skills sorted by name; null until the first page has been read. Grows as more pages are read. */
  readonly list: ReadonlySignal<readonly ListedSkill[] | null>
  readonly trouble: ReadonlySignal<Trouble | null>
  /** The text by which the list is filtered. */
  readonly filter: ReadonlySignal<string>
  readonly filtered: ReadonlySignal<readonly ListedSkill[]>
  setFilter(filter: string): void
  /** The skills that a user can call. */
  readonly commands: ReadonlySignal<readonly ListedSkill[]>
  /** Reads the skills unless they were read recently. */
  ensureLoaded(): Promise<void>
}

type Source = 'model' | 'person' | 'all'
/** The lists to read. Only publishers may read `all`, which contains disabled skills; a refusal to others is not an error. */
const LIST_REQUESTS: Readonly<Record<Source, Pick<ListRequest, 'path' | 'query'>>> = {
  model: { path: '/v1/skills' },
  person: { path: '/v1/skills', query: { for: 'person' } },
  all: { path: '/admin/skills' },
}

export function createSkills({ now }: Pick<Ports, 'now'>, client: ReadonlySignal<Client | null>): Skills {
  const lists = signal<Readonly<Record<Source, readonly SkillInfo[] | null>>>(EMPTY_LISTS)
  const trouble = signal<Trouble | null>(null)
  const filter = signal('')
  let lastRead: { readonly client: Client; readonly startedAt: number } | null = null

  // After signing out, clear the list: another account may have different permissions.
  effect(() => {
    if (!client.value) lists.value = EMPTY_LISTS
  })

  const list = computed(() => (lists.value.model || lists.value.person ? mergeLists(lists.value) : null))

  async function readList(activeClient: Client, source: Source): Promise<Result<unknown, ClientFailure>> {
    const pages = { pagesMax: SKILL_PAGES_MAX, laterEntries: SKILLS_OF_LATER_PAGES }
    return readPages<SkillInfo>(
      activeClient,
      { ...LIST_REQUESTS[source], ...pages },
      (data, page, isLast) => {
        if (activeClient !== client.peek()) return false
        const all = data.filter(({ enabled }) => source !== 'all' || !enabled)
        // Keep the previous list until the new one is at least as long. Rebuilding thousands of rows is expensive, so do it only
        // after pages 1, 2, 4, 8 and so on.
        const isDue = Number.isInteger(Math.log2(page)) && all.length >= (lists.peek()[source]?.length ?? 0)
        if (isDue || isLast) lists.value = { ...lists.peek(), [source]: all }
        return true
      },
    )
  }

  return {
    list,
    trouble,
    filter,
    filtered: computed(() => filterSkills(list.value ?? [], filter.value)),
    commands: computed(() => list.value?.filter(({ callable }) => callable) ?? []),
    setFilter: (terms) => {
      filter.value = terms
    },
    async ensureLoaded() {
      const activeClient = client.peek()
      if (
        !activeClient ||
        (lastRead?.client === activeClient && now() - lastRead.startedAt < SKILLS_FRESH_MS)
      )
        return
      if (lastRead?.client !== activeClient) lists.value = EMPTY_LISTS
      lastRead = { client: activeClient, startedAt: now() }
      trouble.value = null
      const [model, person] = await Promise.all([
        readList(activeClient, 'model'),
        readList(activeClient, 'person'),
        readList(activeClient, 'all'),
      ])
      if (activeClient !== client.peek()) return
      const failure = model.ok ? person : model
      if (failure.ok) return
      trouble.value = describeFailure('The skills could not be read', failure.error)
      // Read the skills again the next time they are needed.
      lastRead = null
    },
  }
}

const EMPTY_LISTS = { model: null, person: null, all: null }

function mergeLists({
  model,
  person,
  all,
}: Readonly<Record<Source, readonly SkillInfo[] | null>>): readonly ListedSkill[] {
  const byName = new Map<string, ListedSkill>()
  for (const skill of [...(all ?? []), ...(model ?? [])])
    byName.set(skill.name, { ...skill, callable: false })
  for (const skill of person ?? []) byName.set(skill.name, { ...skill, callable: skill.user_invocable })
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Skills that contain all terms in their name, tags or description. Names that start with the first term are listed first. */
function filterSkills(skills: readonly ListedSkill[], filter: string): readonly ListedSkill[] {
  const terms = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = terms
  if (first === undefined) return skills
  const matches = skills.filter((skill) => {
    const { name, tags, description } = skill
    const text =
      `${name} ${skillTitle(skill)} ${skillSummary(skill)} ${tags.join(' ')} ${description}`.toLowerCase()
    return terms.every((term) => text.includes(term))
  })
  const rank = ({ name }: ListedSkill): number => (name.startsWith(first) ? 0 : name.includes(first) ? 1 : 2)
  return matches.toSorted((a, b) => rank(a) - rank(b))
}

/** The text put into the message box to try a skill. */
export function invocationText({ name, callable }: Pick<ListedSkill, 'name' | 'callable'>): string {
  return callable ? `/${name} ` : `Use the ${name} skill: `
}
