// Reads skills and the available models from the API.

import type { Effort } from '../agent/model.ts'
import { ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import type { SkillInfo } from '../skills/view/skill-info.ts'
import type { ManifestFile } from '../skills/skill.ts'
import type { Client } from './client.ts'
import { readPage, type PageRequest } from './pages.ts'
import type { ClientFailure } from './types.ts'

type ClientResult<T> = Promise<Result<T, ClientFailure>>

/**
 * Which skills are visible: those that the agent sees, those that a person may call with `/name`, or those that a publisher sees,
 * which include disabled skills.
 */
export type SkillView = 'model' | 'person' | 'publisher'

/** A skill in the list for a person. */
export interface CallableSkill extends SkillInfo {
  /** False if the skill is hidden from the agent. Only a person can then call it. */
  readonly model_invocable: boolean
}

export interface SkillDetail extends SkillInfo {
  /** The text of `SKILL.md` after its frontmatter. */
  readonly body: string
  readonly manifest: readonly ManifestFile[]
}

/** A model from GET /v1/models. */
export interface ModelInfo {
  readonly id: string
  /** A name for people, such as "Claude Opus 5.5". */
  readonly name: string
  readonly default: boolean
  readonly demo: boolean
  /** The size of the context window in tokens, or null if unknown. */
  readonly window: number | null
  readonly images: boolean
  /** The values of `effort` that the model accepts. */
  readonly efforts: readonly Effort[]
  /** Prices in dollars per million tokens, or null if unknown. */
  readonly price: {
    readonly input: number
    readonly output: number
    readonly cache_write: number
    readonly cache_read: number
  } | null
}

/** The skills that the caller may call with `/name`, sorted by name. */
export function listCallableSkills(
  client: Client,
  page: PageRequest = {},
): ClientResult<Page<CallableSkill>> {
  return readPage(client, '/v1/skills', { for: 'person' }, page)
}

/** The skills that the caller may call, those first that the workspace uses most. */
export async function listSkillsByUse(client: Client, limit: number): ClientResult<readonly SkillInfo[]> {
  const path = `/v1/skills?for=person&order=use&limit=${limit}`
  const answer = await client.json<{ readonly data: readonly SkillInfo[] }>('GET', path)
  return answer.ok ? ok(answer.value.body.data) : answer
}

function skillPath(view: SkillView, name: string, subpath = ''): string {
  const root = view === 'publisher' ? '/admin/skills' : '/v1/skills'
  return `${root}/${encodeURIComponent(name)}${subpath}${view === 'person' ? '?for=person' : ''}`
}

export async function readSkill(
  client: Client,
  name: string,
  view: SkillView = 'model',
): ClientResult<SkillDetail> {
  const answer = await client.json<SkillDetail>('GET', skillPath(view, name))
  return answer.ok ? ok(answer.value.body) : answer
}

/** Reads one file of a skill. `path`: as in the skill's manifest. */
export function readSkillFile(
  client: Client,
  name: string,
  path: string,
  view: SkillView = 'model',
): ClientResult<Uint8Array<ArrayBuffer>> {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return client.bytes(skillPath(view, name, `/files/${encoded}`))
}

/** The available models, the default first. */
export async function listModels(client: Client): ClientResult<readonly ModelInfo[]> {
  const answer = await client.json<{ readonly data: readonly ModelInfo[] }>('GET', '/v1/models')
  return answer.ok ? ok(answer.value.body.data) : answer
}
