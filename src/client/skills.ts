// The skills that a caller's agent can see, or the caller may call by name; and the models that may answer.

import { ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import type { SkillInfo } from '../skills/view/skill-info.ts'
import type { ManifestFile } from '../skills/skill.ts'
import type { Client } from './client.ts'
import { pageOf, type PageAsk } from './pages.ts'
import type { ClientFailure } from './types.ts'

type Answered<T> = Promise<Result<T, ClientFailure>>

/** Whose list it is: what the agent sees, or what a person may call with `/name`. */
export type Whom = 'model' | 'person'

/** As it is listed for a person. */
export interface CallableSkill extends SkillInfo {
  /** False: the agent does not see it, and only a person calls it. */
  readonly model_invocable: boolean
}

export interface SkillDetail extends SkillInfo {
  /** What stands behind the frontmatter of its `SKILL.md`. */
  readonly body: string
  readonly manifest: readonly ManifestFile[]
}

/** Of GET /v1/models. */
export interface ModelInfo {
  readonly id: string
  readonly default: boolean
  readonly demo: boolean
  /** Tokens; null: not known. */
  readonly window: number | null
  readonly images: boolean
  /** Dollars for a million tokens; null: not known. */
  readonly price: {
    readonly input: number
    readonly output: number
    readonly cache_write: number
    readonly cache_read: number
  } | null
}

/** Sorted by name. */
export function skills(client: Client, page: PageAsk = {}): Answered<Page<SkillInfo>> {
  return pageOf(client, '/v1/skills', {}, page)
}

/** Those that the caller may call with `/name`, sorted by name, each with what to write behind that (`argument_hint`). */
export function callableSkills(client: Client, page: PageAsk = {}): Answered<Page<CallableSkill>> {
  return pageOf(client, '/v1/skills', { for: 'person' }, page)
}

function pathOf(name: string): string {
  return `/v1/skills/${encodeURIComponent(name)}`
}

function asked(whom: Whom): string {
  return whom === 'person' ? '?for=person' : ''
}

export async function skill(client: Client, name: string, whom: Whom = 'model'): Answered<SkillDetail> {
  const answer = await client.json<SkillDetail>('GET', `${pathOf(name)}${asked(whom)}`)
  return answer.ok ? ok(answer.value.body) : answer
}

/** The bytes of one of its files. `path`: as its list of files has it. */
export function skillFile(
  client: Client,
  name: string,
  path: string,
  whom: Whom = 'model',
): Answered<Uint8Array<ArrayBuffer>> {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return client.bytes(`${pathOf(name)}/files/${encoded}${asked(whom)}`)
}

/** The default first. */
export async function models(client: Client): Answered<readonly ModelInfo[]> {
  const answer = await client.json<{ readonly data: readonly ModelInfo[] }>('GET', '/v1/models')
  return answer.ok ? ok(answer.value.body.data) : answer
}
