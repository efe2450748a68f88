// The model as a list with context windows and prices, and the effort as segments. Both are groups of radio buttons.

import { useId } from 'preact/hooks'

import type { Effort } from '../../agent/model.ts'
import type { ModelInfo } from '../../client/skills.ts'
import { formatPrice, formatTokens } from '../lib/format.ts'
import { Icon } from '../parts/icon.tsx'
import { useApp } from '../state/app.ts'
import { EFFORT_NAMES } from '../state/composer/models.ts'

interface ModelChoiceProps {
  readonly selectedId: string
  readonly onChoose: (id: string) => void
}

export function ModelChoice({ selectedId, onChoose }: ModelChoiceProps) {
  const { models, conversation } = useApp()
  const group = useId()
  const listed = models.list.value ?? []
  // A thread keeps its model even if the server no longer offers it.
  const isListed = selectedId === '' || listed.some(({ id }) => id === selectedId)
  const next = models.nextModel.value
  const isChanging = next !== null && !next.isSent && conversation.info.value !== null
  return (
    <fieldset class="models">
      <legend class="unseen">Model</legend>
      <div class="head" aria-hidden="true">
        <strong>Model</strong>
        <span>Context</span>
        <span>Input</span>
        <span>Output</span>
      </div>
      <div class="rows">
        {!isListed && <strong>{selectedId}</strong>}
        {listed.map((model) => (
          <label key={model.id} title={model.id}>
            <input
              type="radio"
              class="unseen"
              name={group}
              checked={model.id === selectedId}
              onChange={() => onChoose(model.id)}
            />
            <Icon name="check" />
            <span class="name">
              {model.name}
              {model.default && <small> default</small>}
            </span>
            <Facts model={model} />
          </label>
        ))}
      </div>
      <p class="foot">
        {isChanging
          ? 'From your next message on. The new model reads the whole thread, which costs more once.'
          : 'Prices are per million tokens.'}
      </p>
    </fieldset>
  )
}

/** Three columns, with words for screen readers in place of the heads. */
function Facts({ model: { window, price } }: { readonly model: ModelInfo }) {
  const columns = [
    ['context', window === null ? null : formatTokens(window)],
    ['input', price && formatPrice(price.input)],
    ['output', price && formatPrice(price.output)],
  ] as const
  return columns.map(([name, text]) => (
    <span key={name} class="figure">
      <span class="unseen">, {name} </span>
      {text ?? (
        <>
          <span aria-hidden="true">–</span>
          <span class="unseen">unknown</span>
        </>
      )}
    </span>
  ))
}

/** `efforts`: what the model accepts. Renders nothing if it accepts none. */
export function EffortChoice({ efforts }: { readonly efforts: readonly Effort[] }) {
  const { models } = useApp()
  const group = useId()
  if (efforts.length === 0) return null
  const { effort } = models.choice.value
  const selected = effort !== null && efforts.includes(effort) ? effort : null
  return (
    <fieldset>
      <legend>Effort</legend>
      <div class="segments">
        {[null, ...efforts].map((value) => (
          <label key={value}>
            <input
              type="radio"
              class="unseen"
              name={group}
              checked={value === selected}
              onChange={() => models.choose({ effort: value })}
            />
            {value === null ? 'Auto' : EFFORT_NAMES[value]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
