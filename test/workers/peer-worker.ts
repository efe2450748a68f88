// Two loaders of skills in one Worker over one R2: ours and the closest peer's. A request makes one of them ready to
// list all skills to a model and to hand out one body, in a new isolate's state or in one that did so before.

import { objects, type Env } from '../../src/env.ts'
import { contentReader, isolateCache, type IsolateCache } from '../../src/skills/store/content-reader.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import { CONTEXT_TOKENS } from '../../src/limits.ts'
import { indexBudget, levelOne } from '../../src/skills/view/section.ts'
import { EVERYBODY, visibleSkills } from '../../src/skills/view/visibility.ts'
import { loadSkillCatalog, r2 } from './peer-library.ts'

export { Catalog } from '../../src/skills/catalog/catalog.ts'

interface Ask {
  /** `cold`: nothing is known. `refresh`: what is live is asked anew. `cached`: as the loader does by itself. */
  readonly state: string
  readonly skill: string
  /** Ours: the build's digest. The peer's: the prefix of the bucket. */
  readonly where: string
}

/** How many skills can be listed, and the text of the one that was asked for. */
interface Ready {
  readonly listed: number
  readonly prompt: number
  readonly body: string
}

const caches = new Map<string, IsolateCache>()

function kept<T>(all: Map<string, T>, { state, where }: Ask, make: () => T): T {
  const known = state === 'cold' ? undefined : all.get(`${state} ${where}`)
  const value = known ?? make()
  all.set(`${state} ${where}`, value)
  return value
}

async function ours(env: Env, ask: Ask): Promise<Ready> {
  const content = contentReader(skillStores(env), 'default', kept(caches, ask, isolateCache))
  const live = await objects(env).catalog('default').live(ask.where)
  if (!live.ok) throw new Error(live.error.detail)
  const index = await content.index(live.value.index)
  if (!index.ok) throw new Error(index.error.detail)
  const skills = visibleSkills(index.value, EVERYBODY)
  const entry = skills.find(({ name }) => name === ask.skill)
  if (!entry) throw new Error(`no skill ${ask.skill}`)
  const { text } = levelOne(skills, indexBudget(CONTEXT_TOKENS))
  const [body, files] = await Promise.all([content.body(entry), content.manifest(entry)])
  if (!body.ok || !files.ok) throw new Error('the skill cannot be read')
  return { listed: skills.length, prompt: text.length, body: body.value }
}

const sources = new Map<string, ReturnType<typeof r2>>()

async function peers(env: Env, ask: Ask): Promise<Ready> {
  const source = kept(sources, ask, () =>
    r2(env.RESOURCES, { prefix: ask.where, ...(ask.state === 'refresh' && { refreshIntervalMs: 0 }) }),
  )
  const catalog = await loadSkillCatalog([source])
  const prompt = catalog.prompt() ?? ''
  const body = catalog.activate(ask.skill)
  if (!body.ok) throw new Error(`no skill ${ask.skill}`)
  return { listed: catalog.skills.length, prompt: prompt.length, body: body.value }
}

const worker = {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const given = (name: string): string => searchParams.get(name) ?? ''
    const ask = { state: given('state'), skill: given('skill'), where: given('where') }
    try {
      return Response.json(await (pathname === '/ours' ? ours(env, ask) : peers(env, ask)))
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  },
} satisfies ExportedHandler<Env>

// oxlint-disable-next-line import/no-default-export -- the platform takes a Worker by its default export
export default worker
