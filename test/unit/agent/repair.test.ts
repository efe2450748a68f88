// Guards "the prefix is frozen": whatever is known about a message's calls, the next message answers each of them once
// and in order, and earlier messages do not change.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Block } from '../../../src/agent/message.ts'
import { resultsFor } from '../../../src/agent/repair.ts'

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('thinking'), thinking: fc.string(), signature: fc.string() }),
  fc.record({
    type: fc.constant('tool_use'),
    id,
    name: fc.string(),
    input: fc.dictionary(fc.string(), fc.integer()),
  }),
  fc.record({ type: fc.constant('server_tool_use'), id }),
  fc.record({ type: fc.constant('tool_use') }),
)
const known = fc.array(fc.record({ toolUseId: id, content: fc.string(), isError: fc.boolean() }))

it('answers every call once, in order, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(block), known, (content, results) => {
      const before = JSON.stringify(content)
      const answers = resultsFor(content, results, 'missing')
      const called = content.flatMap((output) =>
        output.type === 'tool_use' && typeof output['id'] === 'string' && typeof output['name'] === 'string'
          ? [output['id']]
          : [],
      )
      expect(answers.map((answer) => answer.tool_use_id)).toEqual([...new Set(called)])
      expect(JSON.stringify(content)).toBe(before)
      for (const answer of answers) {
        const found = results.findLast((result) => result.toolUseId === answer.tool_use_id)
        expect(answer).toEqual({
          type: 'tool_result',
          tool_use_id: answer.tool_use_id,
          content: found?.content ?? 'missing',
          is_error: found?.isError ?? true,
        })
      }
    }),
  )
})
