// Guards "one web_search, never two": the model's provider gets no search that a workspace or a key forbids or wants to
// check.
import { describe, expect, it } from 'vitest'
import type { ModelFacts } from '../../../src/agent/model.ts'
import { DEMO_MODEL } from '../../../src/demo/demo.ts'
import { modelRegistry } from '../../../src/model/registry.ts'
import type { WorkspaceSettings } from '../../../src/settings/settings.ts'
import { BUILTINS } from '../../../src/tools/builtins.ts'
import { isDefined } from '../../../src/tools/record/offered.ts'
import { includedTools, offeredTools, toolFor } from '../../../src/tools/sources.ts'
import { SERVER_SOURCE, SERVER_SEARCH, searchesItself } from '../../../src/tools/web/server-search.ts'
import { runTools } from '../../fakes/tool-context.ts'

const OFFERING = { builtins: BUILTINS, entries: [], searchesItself: true }

const REAL = modelRegistry({ apiKey: 'k', baseUrl: null, model: 'claude-haiku-4-5', models: null })
const DEMO = modelRegistry({ apiKey: null, baseUrl: null, model: '', models: null })
const real = REAL.resolve('claude-haiku-4-5')?.facts
const demo = DEMO.resolve(DEMO_MODEL)?.facts

function set(tools: Partial<WorkspaceSettings['tools']> = {}, server_search = true): WorkspaceSettings {
  return {
    files: { max_files: 1, max_file_bytes: 1, max_thread_bytes: 1, max_key_bytes: 4, max_workspace_bytes: 5 },
    threads: {
      max_threads: 1,
      max_key_threads: 1,
      max_thread_search_bytes: 1,
      max_search_bytes: 1,
      compact_percent: 80,
    },
    skills: { max_bytes: 1 },
    tools: {
      allow: null,
      deny: [],
      untrusted_then_act: 'ask',
      link_bits: 40,
      calls_per_tool: 50,
      guardrail_url: null,
      guardrail_failure: 'deny',
      ...tools,
    },
    web: { allow_hosts: [], deny_hosts: [], server_search },
    runs: { lease_wait_s: 5 },
    retention: { run_days: 90, audit_days: 365, thread_days: null },
  }
}

type Key = Parameters<typeof searchesItself>[2]
const CASES: readonly [string, boolean, ModelFacts | undefined, WorkspaceSettings | null, Key?][] = [
  ['a workspace that wants it', true, real, set()],
  ['a workspace that does not', false, real, set({}, false)],
  ['settings that cannot be read', false, real, null],
  ['the demo model', false, demo, set()],
  ['an unknown model', false, undefined, set()],
  ['a workspace that denies the tool', false, real, set({ deny: ['web_search'] })],
  ['a workspace that denies the group', false, real, set({ deny: ['web'] })],
  ['a workspace that allows others', false, real, set({ allow: ['ls'] })],
  ['a workspace that allows the group', true, real, set({ allow: ['web'] })],
  ['a workspace with a guardrail', false, real, set({ guardrail_url: 'https://guard.example.com/' })],
  ['a key that denies it', false, real, set(), { allow: null, deny: ['web_search'] }],
  ['a key that allows it', true, real, set(), { allow: ['web_search'], deny: [] }],
]

describe('the model’s own search', () => {
  it.each(CASES)('%s: %s', (_, has, facts, settings, key) => {
    expect(searchesItself(facts, settings, key)).toBe(has)
  })

  it('replaces ours, with or without an engine', async () => {
    for (const searchesWeb of [false, true]) {
      const offered = includedTools(await offeredTools(OFFERING), {
        describesAll: false,
        searchesWeb,
        plan: false,
        defers: false,
      })
      const created = offered.map(({ row }) => row)
      const found = created.filter(({ name }) => name === 'web_search')
      expect(found).toEqual((await SERVER_SOURCE.offered(OFFERING)).map(({ row }) => row))
      expect(found[0]?.spec).toBe(SERVER_SEARCH)
      const names = created.map(({ name }) => name)
      expect(names.indexOf('web_search')).toBe(names.indexOf('web_fetch') - (searchesWeb ? 2 : 1))
    }
    const offered = await offeredTools(OFFERING)
    expect(offered.find(({ row }) => row.source === 'server')?.group).toBe('web')
  })

  it('is executed by nothing here', async () => {
    const [search] = (await SERVER_SOURCE.offered(OFFERING)).filter(isDefined)
    expect(await toolFor(search?.row, runTools())).toEqual({ ok: false, error: null })
  })
})
