// Promise: a thread is born with a search exactly where the operator has set an engine up; what is found stands in the
// conversation as text from outside; and one that loses its engine goes on in words.

import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'

import type { Env } from '../../src/env.ts'
import { outsideOf } from '../../src/thread/outside.ts'
import type { Outside } from '../../src/thread/parts.ts'
import { ANN, speaks, TestThread } from './rig.ts'
import { ScriptedModel, text, use } from './scripted-model.ts'

const engines = inject('engines')
const place: string = engines.place
const key: string = engines.key
const BRAVE = { SEARCH_PROVIDER: 'brave', SEARCH_API_KEY: key, SEARCH_URL: `http://${place}` }
const SEARXNG = { SEARCH_PROVIDER: 'searxng', SEARCH_URL: `http://${place}/searx` }

function searching(variables: Partial<Env>): Pick<Outside, 'search'> {
  const outside = outsideOf({ ...env, ...variables })
  return { search: (workspace) => outside.search(workspace) }
}

const asks = (): ScriptedModel =>
  new ScriptedModel([
    { content: [use('t1', 'web_search', { query: 'x' }), use('t2', 'image_search', { query: 'y' })] },
    { content: [text('Done.')] },
  ])

async function resultsOf(thread: TestThread): Promise<readonly unknown[]> {
  return (await thread.messages()).flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [block['content']] : [])),
  )
}

describe('a thread', () => {
  it.each([
    ['brave', BRAVE],
    ['searxng', SEARXNG],
  ])(
    'searches where %s is set up, at the address that the operator gave, though private',
    async (_, variables) => {
      const model = asks()
      const thread = new TestThread({ ...speaks(model), ...searching(variables) })
      const { run_id } = await thread.start('Look it up.')
      expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
      expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['web_search', 'image_search']),
      )
      expect(await resultsOf(thread)).toEqual([
        '1. Found\n   https://found.example.com/\n   words',
        expect.stringContaining(
          '1. Found\n   https://found.example.com/a.png\n   on https://found.example.com/',
        ),
      ])
      await thread.checkEnded(run_id, model.requests.length)
    },
  )

  it('has no search where no engine is set up, and keeps the one it has in words when that goes', async () => {
    const plain = new ScriptedModel([{ content: [text('Hello.')] }])
    const without = new TestThread({ ...speaks(plain), ...searching({}) })
    await without.ended((await without.start('Hello')).run_id)
    expect(plain.requests[0]?.tools.map(({ name }) => name)).not.toContain('web_search')

    const model = asks()
    const thread = new TestThread({ ...speaks(plain), ...searching(BRAVE) })
    await thread.ended((await thread.start('Hello')).run_id)
    thread.replan({ ...speaks(model), ...searching({}) })
    await thread.kill()
    const { run_id } = await thread.start('Look it up.')
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    expect(await resultsOf(thread)).toEqual(
      [1, 2].map(() => 'No search engine is set up here any more. Go on without a search.'),
    )
  })

  it('is told what the workspace forbids', async () => {
    const caller = { ...ANN, workspace: 'w-forbids' }
    const changed = await outsideOf(env)
      .workspace(caller.workspace)
      .changeSettings({
        author: 'ann',
        patch: { web: { deny_hosts: ['127.0.0.1'] } },
        over: undefined,
      })
    expect(changed.ok).toBe(true)
    const thread = new TestThread({ ...speaks(asks()), ...searching(BRAVE) }, caller)
    const { run_id } = await thread.start('Look it up.')
    await thread.ended(run_id)
    for (const result of await resultsOf(thread))
      expect(result).toContain('is on a host that this workspace denies')
  })
})
