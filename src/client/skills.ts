// The skills that a caller's agent can see or the caller may call by name, and the available models.

import { ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import type { SkillInfo } from '../skills/view/skill-info.ts'
import type { ManifestFile } from '../skills/skill.ts'
import type { Client } from './client.ts'
import { pageOf, type PageAsk } from './pages.ts'
import type { ClientFailure } from './types.ts'

type Answered<T> = Promise<Result<T, ClientFailure>>

/** Whose view: what the agent sees, what a person may call with `/name`, or what a publisher sees, including disabled skills. */
export type Whom = 'model' | 'person' | 'publisher'

/** As listed for a person. */
export interface CallableSkill extends SkillInfo {
  /** False: hidden from the agent; only a person calls it. */
  readonly model_invocable: boolean
}

export interface SkillDetail extends SkillInfo {
  /** The text after the frontmatter of its `SKILL.md`. */
  readonly body: string
  readonly manifest: readonly ManifestFile[]
}

/** From GET /v1/models. */
export interface ModelInfo {
  readonly id: string
  readonly default: boolean
  readonly demo: boolean
  /** Tokens; null if unknown. */
  readonly window: number | null
  readonly images: boolean
  /** Dollars for a million tokens; null if unknown. */
  readonly price: {
    readonly input: number
    readonly output: number
    readonly cache_write: number
    readonly cache_read: number
  } | null
}

/** The skills that the caller may call with `/name`, sorted by name, each with its `argument_hint`. */
export function callableSkills(client: Client, page: PageAsk = {}): Answered<Page<CallableSkill>> {
  return pageOf(client, '/v1/skills', { for: 'person' }, page)
}

function pathOf(whom: Whom, name: string, below = ''): string {
  const root = whom === 'publisher' ? '/admin/skills' : '/v1/skills'
  return `${root}/${encodeURIComponent(name)}${below}${whom === 'person' ? '?for=person' : ''}`
}

export async function skill(client: Client, name: string, whom: Whom = 'model'): Answered<SkillDetail> {
  const answer = await client.json<SkillDetail>('GET', pathOf(whom, name))
  return answer.ok ? ok(answer.value.body) : answer
}

/** The bytes of one of its files. `path`: as in its file list. */
export function skillFile(
  client: Client,
  name: string,
  path: string,
  whom: Whom = 'model',
): Answered<Uint8Array<ArrayBuffer>> {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return client.bytes(pathOf(whom, name, `/files/${encoded}`))
}

/** The default first. */
export async function models(client: Client): Answered<readonly ModelInfo[]> {
  const answer = await client.json<{ readonly data: readonly ModelInfo[] }>('GET', '/v1/models')
  return answer.ok ? ok(answer.value.body.data) : answer
}
