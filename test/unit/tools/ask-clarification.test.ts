// Guards that a question that nobody could answer is not asked, and that a person sees no invisible character.

import { describe, expect, it } from 'vitest'
import { ASK_CLARIFICATION } from '../../../src/tools/person/ask-clarification.ts'
import { toolContext } from '../../fakes/tool-context.ts'

async function ask(input: object, attended = true) {
  const { signal } = new AbortController()
  const call = { runId: 'run_1', toolUseId: 'tu_1', idempotencyKey: 'k', signal, progress: () => undefined }
  return ASK_CLARIFICATION.make(toolContext({ canAskPerson: attended })).run(input, call)
}

const QUESTION = { question: 'Delete all of it?', kind: 'risk_confirmation' }

describe('ask_clarification', () => {
  it("asks nobody in a hook's run, and says what to do instead", async () => {
    const result = await ask(QUESTION, false)
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('your own judgement') })
    expect(result.notes).toBeUndefined()
  })

  it('shows no invisible character', async () => {
    const { notes } = await ask({ ...QUESTION, question: 'Del\u200Bete\u202E it?', options: ['Y\u2060es'] })
    expect(notes).toEqual([
      { type: 'question', ...QUESTION, question: 'Delete it?', context: null, options: ['Yes'] },
    ])
  })

  it('offers no option with hidden content, and no option twice', async () => {
    const { notes } = await ask({
      ...QUESTION,
      options: ['Yes\uFE01\uFE02', 'Yes', 'No\u{E0100} ', 'No\u2003way', 'No  way', '❤️\uFE0F', '\u3164'],
    })
    expect(notes).toMatchObject([{ options: ['Yes', 'No', 'No way', '❤️'] }])
  })

  it('offers a path as an answer', async () => {
    const { notes } = await ask({ ...QUESTION, options: ['/mnt/user-data/a.csv', 'Not /deploy'] })
    expect(notes).toMatchObject([{ options: ['/mnt/user-data/a.csv', 'Not /deploy'] }])
  })

  it('offers look-alike options once, and URLs as they are sent', async () => {
    const options = ['Read a.test/civ\u2170l', 'Read a.test/civil', 'Read a.test/m\u0131x']
    const { notes } = await ask({ ...QUESTION, options })
    expect(notes).toMatchObject([{ options: ['Read a.test/civil', 'Read a.test/m%C4%B1x'] }])
  })

  it('offers an option without its tags, as the page shows it', async () => {
    const { notes } = await ask({
      ...QUESTION,
      options: ['To Ada <\u0430da@a.test>', '<see https://b.test/>'],
    })
    expect(notes).toMatchObject([{ options: ['To Ada'] }])
  })

  it.each([
    ['an option whose letters are of several scripts', { ...QUESTION, options: ['p\u0430ypal.com'] }],
    ['a blank question', { ...QUESTION, question: ' \u200B ' }],
    ['an unknown kind', { ...QUESTION, kind: 'other' }],
    ['an option with tags within tags', { ...QUESTION, options: ['Yes <<b>i>'] }],
    ['an option with a tag of look-alike characters', { ...QUESTION, options: ['a\uFF1Cb\uFF1Ec'] }],
    ['an option that calls a skill', { ...QUESTION, options: ['/deploy yes, go on', 'No'] }],
    [
      'an option that calls a skill behind invisible characters',
      { ...QUESTION, options: ['\u200B <b>/deploy'] },
    ],
    ['an option that calls a skill in styled characters', { ...QUESTION, options: ['/\uFF44eploy now'] }],
    ['an option as long as a page', { ...QUESTION, options: ['x'.repeat(201)] }],
  ])('%s is an error that can be fixed', async (_, input) => {
    expect((await ask(input)).isError).toBe(true)
  })
})
