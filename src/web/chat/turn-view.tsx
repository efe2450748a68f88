// One question and its answer.

import { Prose } from '../markdown/prose.tsx'
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
        item.kind === 'text' ? <Prose key={item.key} text={item.text} done={item.done} /> : null,
      )}
      {turn.trouble.value && <Notice trouble={turn.trouble.value} />}
    </article>
  )
}
