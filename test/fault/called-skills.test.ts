// Guards "accepted is kept" and "the prefix is frozen" for skills that a person calls: the called skills and the record
// of loaded skills are in rows, so a run that dies anywhere ends like an undisturbed one.
import { env } from 'cloudflare:workers'
import { afterAll, describe, expect, it } from 'vitest'
import type { Block } from '../../src/agent/message.ts'
import type { Model, ModelOutcome, ModelRequest } from '../../src/agent/model.ts'
import type { SkillCall } from '../../src/skills/view/slash.ts'
import { seedBuild, type SeedSkill } from '../workers/seed-build.ts'
import { unwatch, watchPoints, type CrashMode } from './plan.ts'
import { read, Reader } from './reader.ts'
import { ANN, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use, type Turn } from './scripted-model.ts'

const REVIEW: SeedSkill = { name: 'review', body: 'Review it.' }
const REPORT: SeedSkill = { name: 'report', body: 'Report on $ARGUMENTS.' }
const PLAN: SeedSkill = { name: 'plan', body: 'Plan it.' }
const slash = (name: string): SkillCall => ({ name, via: 'slash', path: 'message' })
const DONE: Turn = { content: [text('Done.')] }

function lastText(request: ModelRequest | undefined): string {
  return JSON.stringify(request?.messages.at(-1)?.content)
}

/** Loads a skill that was already called, and twice another one at once. */
const STORY: readonly Turn[] = [
  { content: [use('t1', 'load_skill', { name: 'review' }), use('t2', 'load_skill', { name: 'plan' })] },
  { content: [use('t3', 'load_skill', { name: 'plan' })] },
  DONE,
]

/** As in reality, a model call leaves the object only when everything written before it is on disk. */
function leaving(model: ScriptedModel): Model {
  return {
    call: async (...requested) => {
      await env.SKILLS.get('the way out')
      return model.call(...requested)
    },
  }
}

describe('a run with a called skill', () => {
  afterAll(unwatch)

  async function play(crashAt: number | null, mode: CrashMode) {
    const model = new ScriptedModel(STORY)
    const thread = new TestThread(speaks(leaving(model)), { ...ANN, workspace: 'called' })
    const build = await seedBuild(env, [REVIEW, PLAN, REPORT])
    const crash = watchPoints(thread.name, (index) => (index === crashAt ? mode : null))
    const more = {
      calls: [slash('review'), slash('report')],
      build,
      idempotency: { key: 'one', digest: 'd' },
      follow: true,
    }
    const started = await eventually(
      () => thread.start('/review /report Do it.', more).catch(() => null),
      (answer) => answer !== null,
    )
    if (!started) throw new Error('never accepted')
    const reader = new Reader(0).apply((await read(started.events)).events)
    for (let turn = 0; turn < 100 && !reader.terminal; turn++) {
      await thread.alarm()
      const stream = await thread.stream(started.run_id, reader.cursor).catch(() => null)
      if (stream) reader.apply((await read(stream)).events)
    }
    const contents: readonly (readonly Block[])[] =
      model.requests.at(-1)?.messages.map((m) => m.content) ?? []
    return { model, thread, run: started.run_id, crash, contents }
  }

  it('gives the model the same bytes wherever it dies, and reports each load once', async () => {
    const quiet = await play(null, 'lose')
    expect(JSON.stringify(quiet.contents[0])).toContain('Review it.')
    const bodies = JSON.stringify(quiet.contents).match(/<skill_content/g)
    expect(JSON.stringify(quiet.contents[0])).toContain('Report on Do it..')
    expect(bodies).toHaveLength(3)
    for (const mode of ['lose', 'keep'] as const)
      for (const [at, point] of quiet.crash.points.entries()) {
        const reported = await play(at, mode)
        const where = `${point} (${at}, ${mode})`
        expect(reported.crash.fired, where).toBe(1)
        expect(reported.model.problems, where).toEqual([])
        expect(reported.contents, where).toEqual(quiet.contents)
        const whole = await reported.thread.checkEnded(reported.run, reported.model.requests.length)
        const loads = whole.flatMap((event) =>
          event.type === 'skill.loaded' ? [`${event.name} ${event.via}`] : [],
        )
        expect(loads.toSorted(), where).toEqual([
          'plan tool',
          'plan tool',
          'report slash',
          'review slash',
          'review tool',
        ])
        const { skills } = await reported.thread.receipt(reported.run)
        expect(skills.map(({ name, via }) => `${name} ${via}`)).toEqual([
          'review slash',
          'report slash',
          'plan tool',
        ])
      }
  })

  it('in the queue takes the skill as it is at its start, and continues without one that was removed', async () => {
    const gate = { open: false }
    const model = new ScriptedModel(() => ({
      act: async (...requested) => {
        while (!gate.open) await scheduler.wait(1)
        return new ScriptedModel(() => DONE).call(...requested)
      },
    }))
    const before = await seedBuild(env, [REVIEW, PLAN])
    const after = await seedBuild(env, [{ ...REVIEW, body: 'Review it otherwise.' }])
    const thread = new TestThread(speaks(model), { ...ANN, workspace: 'line-called' })
    const first = await thread.start('One.', { build: before })
    // The queued run is started by a Worker with another build: skills that left the build are gone.
    const second = await thread.start('/review /plan <b>Two.</b>', {
      build: after,
      onBusy: 'enqueue',
      calls: [slash('review')],
    })
    await thread.sql((sql) =>
      sql.exec(
        'UPDATE asks SET input = json_insert(input, \'$.calls[#]\', json(\'{"name":"plan","via":"slash","path":"message"}\')) WHERE id = ?',
        second.run_id,
      ),
    )
    await thread.kill()
    gate.open = true
    await thread.alarm()
    expect((await thread.ended(first.run_id)).status).toBe('completed')
    const receipt = await thread.ended(second.run_id)
    expect(receipt).toMatchObject({ status: 'completed', skills: [{ name: 'review', via: 'slash' }] })
    const reported = lastText(model.requests.at(-1))
    expect(reported).toContain('Review it otherwise.')
    expect(reported).toContain('Skill \\"plan\\" was also called, but is not available now.')
    expect(reported).toContain('<skill_request><b>Two.</b></skill_request>')
    expect(model.problems).toEqual([])
  })

  it('does not count it as loaded when the API refused the message', async () => {
    const refusal: ModelOutcome = {
      kind: 'fault',
      fault: { retry: 'never', reason: 'too_large', detail: 'Too long.', retryAfterMs: null, usage: null },
    }
    const model = new ScriptedModel((_, call) => (call === 0 ? { act: async () => refusal } : DONE))
    const thread = new TestThread(speaks(model), { ...ANN, workspace: 'refused-called' })
    const build = await seedBuild(env, [REVIEW])
    const more = { build, calls: [slash('review')] }
    const refused = await thread.start('/review One.', more)
    expect(await thread.ended(refused.run_id)).toMatchObject({ status: 'failed' })
    for (const words of ['/review Two.', '/review Three.']) {
      const { run_id } = await thread.start(words, more)
      expect((await thread.ended(run_id)).status).toBe('completed')
    }
    expect(model.requests[1]?.messages).toHaveLength(1)
    expect(lastText(model.requests[1])).toContain('Review it.')
    expect(lastText(model.requests[2])).not.toContain('Review it.')
    expect(lastText(model.requests[2])).toContain('already loaded')
  })
})
