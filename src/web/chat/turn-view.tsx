// One question and its answer.

import { Artifacts } from '../files/artifacts.tsx'
import { FileChips } from '../files/chips.tsx'
import { Notice } from '../parts/notice.tsx'
import type { Turn } from '../state/turn.ts'

export function TurnView({ turn }: { readonly turn: Turn }) {
  const { items } = turn.run.value
  return (
    <article class="turn">
      <div class="asked" dir="auto">
        {turn.asked.value.text}
      </div>
      <FileChips files={turn.asked.value.files} />
      {items.map((item) =>
        item.kind === 'text' ? (
          <div key={item.key} class="answer" dir="auto">
            {item.text}
          </div>
        ) : null,
      )}
      <Artifacts artifacts={turn.run.value.artifacts} />
      {turn.trouble.value && <Notice trouble={turn.trouble.value} />}
    </article>
  )
}
