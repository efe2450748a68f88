// The library: every skill that the reader may know of, and which of them a person can call. Reads page by page, and shows
// what came. Never opens one.

import { computed, signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import type { SkillInfo } from '../../../skills/view/skill-info.ts'
import type { Page } from '../../../thread/api.ts'
import { trouble, type Trouble } from '../../lib/failure.ts'
import { PAGE_ENTRIES, SKILL_PAGES } from '../../lib/limits.ts'
import { SKILLS_FRESH_MS } from './limits.ts'
import type { Ports } from '../../lib/platform.ts'

export interface ListedSkill extends SkillInfo {
  /** A person can call it with `/name`. */
  readonly callable: boolean
}

export interface Skills {
  /** By name; null: nothing came yet. Grows while the rest is read. */
  readonly list: ReadonlySignal<readonly ListedSkill[] | null>
  readonly trouble: ReadonlySignal<Trouble | null>
  /** What the list is narrowed to. */
  readonly filter: ReadonlySignal<string>
  readonly filtered: ReadonlySignal<readonly ListedSkill[]>
  narrow(filter: string): void
  /** Reads them where they are not known or not fresh. */
  want(): Promise<void>
}

type Source = 'model' | 'person' | 'all'
/** What a publisher sees has those that are switched off; others are refused it, which is no failure. */
const PATHS: Readonly<Record<Source, string>> = {
  model: '/v1/skills',
  person: '/v1/skills?for=person',
  all: '/admin/skills',
}

export function createSkills({ now }: Pick<Ports, 'now'>, client: ReadonlySignal<Client | null>): Skills {
  const came = signal<Readonly<Record<Source, readonly SkillInfo[] | null>>>(NOTHING)
  const failed = signal<Trouble | null>(null)
  const filter = signal('')
  let read: { readonly by: Client; readonly at: number } | null = null

  const list = computed(() => (came.value.model || came.value.person ? merged(came.value) : null))

  async function readOne(by: Client, source: Source): Promise<Result<null, ClientFailure>> {
    let all: readonly SkillInfo[] = []
    let cursor: string | null = null
    for (let page = 0; page < SKILL_PAGES; page++) {
      const address = addressOf(PATHS[source], cursor)
      const answer: Result<{ readonly body: Page<SkillInfo> }, ClientFailure> = await by.json('GET', address)
      if (!answer.ok) return answer
      if (by !== client.peek()) break
      const { data, next_cursor: next }: Page<SkillInfo> = answer.value.body
      all = [...all, ...(source === 'all' ? data.filter(({ enabled }) => !enabled) : data)]
      cursor = next
      // What is shown from before stays whole until as much came anew. Thousands are put together a few times, not at
      // each page: after the first, second, fourth and so on.
      const isDue = Number.isInteger(Math.log2(page + 1)) && all.length >= (came.peek()[source]?.length ?? 0)
      if (isDue || next === null) came.value = { ...came.peek(), [source]: all }
      if (next === null) break
    }
    return { ok: true, value: null }
  }

  return {
    list,
    trouble: failed,
    filter,
    filtered: computed(() => matching(list.value ?? [], filter.value)),
    narrow: (words) => {
      filter.value = words
    },
    async want() {
      const by = client.peek()
      if (!by || (read?.by === by && now() - read.at < SKILLS_FRESH_MS)) return
      if (read?.by !== by) came.value = NOTHING
      read = { by, at: now() }
      failed.value = null
      const [model, person] = await Promise.all([
        readOne(by, 'model'),
        readOne(by, 'person'),
        readOne(by, 'all'),
      ])
      if (by !== client.peek()) return
      const bad = model.ok ? person : model
      if (bad.ok) return
      failed.value = trouble('The skills could not be read', bad.error)
      // Asked again at the next chance.
      read = null
    },
  }
}

const NOTHING = { model: null, person: null, all: null }

function addressOf(path: string, cursor: string | null): string {
  const query = new URLSearchParams({ limit: String(PAGE_ENTRIES) })
  if (cursor !== null) query.set('cursor', cursor)
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`
}

function merged({
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

/** Those that have all words in name, tags or description: names that begin so first. */
function matching(skills: readonly ListedSkill[], filter: string): readonly ListedSkill[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return skills
  const has = skills.filter(({ name, tags, description }) => {
    const text = `${name} ${tags.join(' ')} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const rank = ({ name }: ListedSkill): number => (name.startsWith(first) ? 0 : name.includes(first) ? 1 : 2)
  return has.toSorted((a, b) => rank(a) - rank(b))
}

/** What stands in the message box for who wants to try it. */
export function tryText({ name, callable }: Pick<ListedSkill, 'name' | 'callable'>): string {
  return callable ? `/${name} ` : `Use the ${name} skill: `
}
