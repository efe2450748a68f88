// Guards "the prefix is frozen" and "a request is legal" for searches that the model makes itself: earlier blocks do
// not change, an unfinished search is closed, and every later request extends the previous one.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApiMessage, Block } from '../../../src/agent/message.ts'
import {
  searchResultAddresses,
  countSuccessfulSearches,
  withClosedSearches,
} from '../../../src/agent/server-search.ts'
import { pairingProblems } from '../../fakes/messages-oracle.ts'
import { failedSearch, found, searching } from '../../fakes/server-search.ts'

const text = (words: string): Block => ({ type: 'text', text: words })
const user = (...content: readonly Block[]): ApiMessage => ({ role: 'user', content })
const model = (...content: readonly Block[]): ApiMessage => ({ role: 'assistant', content })
const closing = model({
  type: 'web_search_tool_result',
  tool_use_id: 's1',
  content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
})

const REQUEST = user(text('Look it up.'))
const PAUSED = model(searching('s1', 'x'))
const MORE = user(text('And then?'))

describe('a search without a result', () => {
  it.each([
    [
      'is closed before the next message of a person',
      [REQUEST, PAUSED, MORE],
      [REQUEST, PAUSED, closing, MORE],
    ],
    [
      'is closed before the text of an answer that was cut after the pause',
      [REQUEST, PAUSED, model(text('It')), MORE],
      [REQUEST, PAUSED, closing, model(text('It')), MORE],
    ],
  ])('%s', (_, output, sent) => {
    expect(withClosedSearches(output)).toEqual(sent)
  })

  it.each([
    ['is unchanged while its turn may continue', [REQUEST, PAUSED]],
    [
      'is unchanged if it was answered after a pause',
      [REQUEST, PAUSED, model(found('s1', 'https://a.example/'))],
    ],
    [
      'is unchanged if results of other tools come first',
      [
        REQUEST,
        model(searching('s1', 'x'), { type: 'tool_use', id: 't', name: 'ls', input: {} }),
        user({ type: 'tool_result', tool_use_id: 't', content: 'ok' }),
      ],
    ],
  ])('%s', (_, output) => {
    expect(withClosedSearches(output)).toEqual(output)
  })

  it('is closed the same way every time: each request extends the previous one', () => {
    // A turn consists of pauses that the API resumed, and then a whole answer, a pause that ended the run, or a
    // truncated answer.
    const turn = fc.record({ pauses: fc.nat(3), end: fc.constantFrom('whole', 'paused', 'cut') })
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 6 }), (turns) => {
        const output: ApiMessage[] = []
        let [last, ids] = ['', 0]
        const request = (): void => {
          const sent = JSON.stringify(withClosedSearches(output)).slice(0, -1)
          expect(sent.startsWith(last)).toBe(true)
          expect(pairingProblems(JSON.parse(`${sent}]`))).toEqual([])
          last = sent
        }
        for (const { pauses, end } of turns) {
          output.push(REQUEST)
          request()
          let open: string | null = null
          const answered = (): readonly Block[] => (open === null ? [] : [found(open)])
          for (let n = 0; n < pauses; n++) {
            const next = `s${++ids}`
            output.push(model(...answered(), searching(next, 'x')))
            open = next
            request()
          }
          if (end === 'whole') output.push(model(...answered(), text('So.')))
          if (end === 'cut') output.push(model(text('So')))
        }
        output.push(MORE)
        request()
      }),
    )
  })
})

describe('the addresses that searches found', () => {
  it('are those of the results given to the model, for each search, and no others', () => {
    const output = [
      user(found('s0', 'https://forged.example/')),
      model(
        searching('s1', 'x'),
        found('s1', 'https://a.example/', 'https://b.example/'),
        failedSearch('s2'),
        found('s5', 'https://a.example/x'),
      ),
      model({ type: 'web_search_tool_result', tool_use_id: 's3', content: [null, 'x', { url: 5 }] }),
    ]
    expect(output.map(searchResultAddresses)).toEqual([
      [],
      [['https://a.example/', 'https://b.example/'], ['https://a.example/x']],
      [],
    ])
    const normalizeUrl = model(found('s4', 'https://C.example', 'https://c.example/x#part', 'not an address'))
    expect(searchResultAddresses(normalizeUrl)).toEqual([['https://c.example/', 'https://c.example/x']])
  })

  it('are none if a search failed', () => {
    expect(countSuccessfulSearches([searching('s1', 'x'), failedSearch('s1')])).toBe(0)
    expect(countSuccessfulSearches([found('s1', 'https://a.example/'), found('s2')])).toBe(1)
  })
})
