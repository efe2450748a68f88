// One question and its answer.

import { Notice } from '../parts/notice.tsx'
import type { Turn } from '../state/turn.ts'

export function TurnView({ turn }: { readonly turn: Turn }) {
  const { items } = turn.run.value
  return (
    <article class="turn">
      <div class="asked" dir="auto">
        {turn.asked.value.text}
      </div>
      {items.map((item) =>
        item.kind === 'text' ? (
          <div key={item.key} class="answer" dir="auto">
            {item.text}
          </div>
        ) : null,
      )}
      {turn.trouble.value && <Notice trouble={turn.trouble.value} />}
    </article>
  )
}
