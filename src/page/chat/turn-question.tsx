// A question from the agent with its suggested answers. Pressing one sends it.

import { answerOptions } from '../../lib/answer-options.ts'
import { visibleText } from '../../lib/visible.ts'
import { useApp } from '../state/app.ts'
import { stringIn, valueIn } from '../lib/fields.ts'
import type { ToolItem } from '../run/items.ts'
import { hasEnded } from '../run/state.ts'
import type { Turn } from '../state/chat/turn.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'

export function QuestionCard({ item, turn }: { readonly item: ToolItem; readonly turn: Turn }) {
  const { composer, conversation } = useApp()
  // Clean the text as the server does: a stored call has the model's raw text, and a pressed option becomes the user's message.
  const question = visibleText(stringIn(item.input, 'question') ?? '')
  const context = visibleText(stringIn(item.input, 'context') ?? '')
  const options = answerOptions(valueIn(item.input, 'options'))
  const turns = conversation.turns.value
  const answer = turns[turns.indexOf(turn) + 1]?.question.value.text ?? null
  // If the call never ran, the server has not checked its options.
  const isOpen = answer === null && item.state === 'done' && hasEnded(turn.run.value)
  return (
    <div class={isOpen ? 'asking open' : 'asking'} role="group" aria-label={question}>
      <p class="what" dir="auto">
        {question}
      </p>
      {stringIn(item.input, 'kind') === 'risk_confirmation' && (
        <p class="quiet kind">
          <Icon name="warning" />
          This has a risk
        </p>
      )}
      {context && (
        <p class="quiet" dir="auto">
          {context}
        </p>
      )}
      {isOpen && options.length > 0 && (
        <div class="choices" role="group" aria-label="Answers">
          {options.map((option) => (
            <Button key={option} onPress={() => void composer.answer(option)}>
              <span dir="auto">{option}</span>
            </Button>
          ))}
        </div>
      )}
      {isOpen && options.length === 0 && <p class="quiet">Write your answer below.</p>}
      {answer !== null && (
        <p class="quiet answered" dir="auto">
          <Icon name="check" /> Answered: {answer}
        </p>
      )}
    </div>
  )
}
