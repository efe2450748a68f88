// A question of the agent: what it wants to know, and the answers that it offers, each of which is sent when it is pressed.

import { answerOptions } from '../../lib/answer-options.ts'
import { visibleText } from '../../lib/visible.ts'
import { useApp } from '../state/app.ts'
import { field, valueUnder } from '../lib/fields.ts'
import type { ToolItem } from '../run/items.ts'
import { hasEnded } from '../run/state.ts'
import type { Turn } from '../state/chat/turn.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'

const KINDS: ReadonlyMap<string, string> = new Map([
  ['missing_info', 'Something is missing'],
  ['ambiguous_requirement', 'This can be understood in more than one way'],
  ['approach_choice', 'There is more than one way to do it'],
  ['risk_confirmation', 'This has a risk'],
  ['suggestion', 'A suggestion'],
])

export function QuestionCard({ item, turn }: { readonly item: ToolItem; readonly turn: Turn }) {
  const { composer, conversation } = useApp()
  // As the server reads and checks it: a stored call is there as the model wrote it, and what is pressed becomes the person's words.
  const question = visibleText(field(item.input, 'question') ?? '')
  const context = visibleText(field(item.input, 'context') ?? '')
  const options = answerOptions(valueUnder(item.input, 'options'))
  const turns = conversation.turns.value
  const answer = turns[turns.indexOf(turn) + 1]?.question.value.text ?? null
  // Where the call was never made the server has not looked at the options.
  const open = answer === null && item.state === 'done' && hasEnded(turn.run.value)
  return (
    <div class="asking" role="group" aria-label={question}>
      <p class="quiet kind">
        <Icon name="question" />
        {KINDS.get(field(item.input, 'kind') ?? '') ?? 'A question'}
      </p>
      <p class="what" dir="auto">
        {question}
      </p>
      {context && (
        <p class="quiet" dir="auto">
          {context}
        </p>
      )}
      {open && options.length > 0 && (
        <div class="choices" role="group" aria-label="Answers">
          {options.map((option) => (
            <Button key={option} onPress={() => void composer.answer(option)}>
              <span dir="auto">{option}</span>
            </Button>
          ))}
        </div>
      )}
      {open && (
        <p class="quiet">
          {options.length > 0 ? 'Or write an answer of your own.' : 'Your next message is the answer.'}
        </p>
      )}
      {answer !== null && (
        <p class="quiet answered" dir="auto">
          <Icon name="check" /> Answered: {answer}
        </p>
      )}
    </div>
  )
}
