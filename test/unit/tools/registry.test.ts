// Guards what a thread stores about its tools when it is created: their order, and rows that say everything about each.

import { describe, expect, it, vi } from 'vitest'
import { sha256Hex } from '../../../src/lib/bytes.ts'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import { BUILTIN_SOURCE } from '../../../src/tools/builtin-source.ts'
import { BUILTINS } from '../../../src/tools/builtins.ts'
import { isDefined } from '../../../src/tools/record/offered.ts'
import { includedTools, offeredTools, toolFor } from '../../../src/tools/sources.ts'
import { runTools } from '../../fakes/tool-context.ts'

const OFFERING = { builtins: BUILTINS, entries: [], searchesItself: false }

describe('the tools that a thread is created with', () => {
  it('are in one fixed order, with a search only if there is something to search', async () => {
    const all = await offeredTools(OFFERING)
    const names = (
      describesAll: boolean,
      searchesWeb: boolean,
      plan = false,
      defers = false,
    ): readonly string[] =>
      includedTools(all, { describesAll, searchesWeb, plan, defers }).map(({ row }) => row.name)
    const ours = BUILTINS.map(({ spec }) => spec.name)
    const without = (...gone: readonly string[]): readonly string[] =>
      ours.filter((name) => !gone.includes(name))
    const dispatchers = ['tool_search', 'call_tool']
    expect(ours.slice(0, 4)).toEqual(['load_skill', 'search_skills', 'read_file', 'ls'])
    expect(names(false, false)).toEqual(without('web_search', 'image_search', 'write_todos', ...dispatchers))
    expect(names(true, false)).toEqual(
      without('web_search', 'image_search', 'search_skills', 'write_todos', ...dispatchers),
    )
    expect(names(false, true, true)).toEqual(without(...dispatchers))
    expect(names(false, true, true, true)).toEqual(ours)
    expect(names(true, true).slice(-5)).toEqual([
      'web_search',
      'image_search',
      'web_fetch',
      'ask_clarification',
      'search_thread',
    ])
  })

  it('are rows with a digest that does not depend on the order of keys', async () => {
    const [{ row } = { row: null }] = (await BUILTIN_SOURCE.offered(OFFERING)).filter(isDefined)
    expect(row).toMatchObject({
      name: 'load_skill',
      source: 'builtin',
      effect: 'read',
      approval: { ask: 'never' },
    })
    const { description, input_schema, name } = BUILTINS[0]?.spec ?? { name: '' }
    expect(row?.digest).toBe(await sha256Hex(canonicalJson({ input_schema, description, name })))
  })
})

describe('tools of the build', () => {
  it('are hashed once in an isolate, and not for each new thread', async () => {
    const first = await BUILTIN_SOURCE.offered(OFFERING)
    const digest = vi.spyOn(crypto.subtle, 'digest')
    const again = await BUILTIN_SOURCE.offered(OFFERING)
    expect(digest).not.toHaveBeenCalled()
    expect(again).toEqual(first)
    digest.mockRestore()
  })
})

describe('a call of a tool', () => {
  it('is executed by the tool of its row, and by none if the build no longer has it', async () => {
    const [first] = (await offeredTools(OFFERING)).filter(isDefined)
    if (!first) throw new Error('no tools')
    expect(await toolFor(first.row, runTools())).toMatchObject({ ok: true })
    for (const row of [{ ...first.row, name: 'gone' }, { ...first.row, source: 'gone' }, undefined])
      expect(await toolFor(row, runTools())).toEqual({ ok: false, error: null })
  })
})
