// The model as a list with context windows and prices, and the effort as segments. Both are groups of radio buttons.

import { useId } from 'preact/hooks'

import type { Effort } from '../../agent/model.ts'
import type { ModelInfo } from '../../client/skills.ts'
import { formatPrice, formatTokens } from '../lib/format.ts'
import { Icon } from '../parts/icon.tsx'
import { useApp } from '../state/app.ts'
import { EFFORT_NAMES } from '../state/composer/models.ts'

export function ModelChoice({ selectedId }: { readonly selectedId: string }) {
  const { models } = useApp()
  const group = useId()
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
        {(models.list.value ?? []).map((model) => (
          <label key={model.id} title={model.id}>
            <input
              type="radio"
              class="unseen"
              name={group}
              checked={model.id === selectedId}
              onChange={() => models.choose({ model: model.id })}
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
      <p class="foot">Prices are per million tokens.</p>
    </fieldset>
  )
}

/** The model of a thread, which cannot be changed. */
export function FixedModel({ id, info }: { readonly id: string; readonly info: ModelInfo | null }) {
  return (
    <div class="models fixed" role="group" aria-label="Model">
      <strong title={id}>{info?.name ?? id}</strong>
      {info && (
        <p class="quiet">
          {[
            info.window === null ? null : `${formatTokens(info.window)} context`,
            info.price === null
              ? 'price unknown'
              : `${formatPrice(info.price.input)} in, ${formatPrice(info.price.output)} out per million tokens`,
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </p>
      )}
      <p class="quiet">A thread keeps its first model.</p>
    </div>
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
