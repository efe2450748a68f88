// Guards "one visibility function" for the calls of a step: the live catalog is read once for all of them, but a failed
// read is not reused for the others.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { fail } from '../../src/lib/result.ts'
import { portsOf } from '../../src/thread/ports.ts'
import { speaks, TestThread } from './rig.ts'
import { ScriptedModel, text, use } from './scripted-model.ts'

describe('the live catalog', () => {
  async function loaded(failing: number): Promise<{ requested: number; result: string }> {
    const calls = ['api-design', 'code-review'].map((name, at) => use(`t${at}`, 'load_skill', { name }))
    const model = new ScriptedModel([{ content: calls }, { content: [text('Done.')] }])
    const untrusted = portsOf(env)
    let requested = -1
    const thread = new TestThread({
      ...speaks(model),
      liveCatalog: async (workspace, build, ranked) => {
        requested += 1
        // The first request comes from the acceptance.
        if (requested > 0 && requested <= failing) return fail('overloaded', 'Not now.')
        return untrusted.liveCatalog(workspace, build, ranked)
      },
    })
    const { run_id } = await thread.start('Go.')
    await thread.ended(run_id)
    return { requested, result: JSON.stringify(model.requests[1]?.messages.at(-1)?.content) }
  }

  it('is read once for all calls of a step', async () => {
    const { requested, result } = await loaded(0)
    expect(requested).toBe(1)
    expect(result).not.toContain('"is_error":true')
  })

  it('is read again by each call when the first read failed', async () => {
    const { requested, result } = await loaded(1)
    expect(requested).toBe(3)
    expect(result).not.toContain('"is_error":true')
  })
})
